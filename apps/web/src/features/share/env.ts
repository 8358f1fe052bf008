/** Where this process reaches the API, set by the service that serves the pages. */
export function internalURL(): string {
  return process.env.DOCKET_INTERNAL_URL ?? "http://127.0.0.1:4180"
}

import type { Service } from "./start-service.ts"

export interface AnnounceDeps {
  print(text: string): void
  /** A line for the user about what is being done. */
  report(phase: string): void
  /** Unexpected errors. */
  log(text: string, error: unknown): void
}

/**
 * Tells how to reach a service that listens. Programs are told at once, in a line of JSON; people once pages are served,
 * so that the link is the last thing on their screen: what is written while the web app loads would push it up. Nothing
 * more is said once `signal` is aborted.
 */
export async function announceService(
  {
    url,
    loginUrl,
    greeting,
    tokenFile,
    webReady,
  }: Pick<Service, "url" | "loginUrl" | "greeting" | "tokenFile" | "webReady">,
  { json, web, signal }: { json: boolean; web: boolean; signal: AbortSignal },
  { print, report, log }: AnnounceDeps,
): Promise<void> {
  if (json) print(`${JSON.stringify({ url, loginUrl, tokenFile, pid: process.pid })}\n`)
  const loaded = await webReady.then(
    () => true,
    (error: unknown) => {
      log("the web app could not be loaded; the API goes on without it", error)
      return false
    },
  )
  if (signal.aborted) return
  if (web && loaded) report("web app ready")
  if (json) return
  if (web && loaded) print(`\n${greeting}:\n\n  ${loginUrl}\n\n`)
  else print(`\nDocket answers on ${url}. The token is in ${tokenFile}.\n\n`)
}

/** What the suite tells its client. */
export const env = {
  scenario: process.env.MCP_CONFORMANCE_SCENARIO ?? "",
  /** JSON of an object. */
  context: process.env.MCP_CONFORMANCE_CONTEXT ?? "{}",
  path: process.env.PATH ?? "",
}

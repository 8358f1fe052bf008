/** For monitoring: whether the service answers, and its version. Answered before any other code is loaded. */
export const healthPath = "/api/health"

/** For balancers: whether this process takes requests, or work. */
export const readyPath = "/api/ready"

/** The JSON schema of docket.json. Open, because editors fetch it and it says nothing about this service. */
export const configSchemaPath = "/docket.schema.json"

/** Files are sent here, so larger bodies are allowed. */
export const importPath = "/api/import"

/** Clients of the Model Context Protocol call here. */
export const mcpPath = "/mcp"

/** Where programs call with a token alone: no cookie counts there, so no other site can make a browser call. */
export function isForPrograms(path: string): boolean {
  return path.startsWith("/v1/") || path.startsWith("/opencode/") || path === mcpPath
}

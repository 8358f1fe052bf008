/** Whether the service answers, and its version: asked by what watches over it. Answered before anything else is loaded. */
export const healthPath = "/api/health"

/** The JSON schema of docket.json. Open, because editors fetch it; it says nothing of this service. */
export const configSchemaPath = "/docket.schema.json"

/** Where files are sent to: larger bodies are taken there. */
export const importPath = "/api/import"

/** For monitoring: whether the service answers, and its version. Answered before any other code is loaded. */
export const healthPath = "/api/health"

/** The JSON schema of docket.json. Open, because editors fetch it and it says nothing about this service. */
export const configSchemaPath = "/docket.schema.json"

/** Files are sent here, so larger bodies are allowed. */
export const importPath = "/api/import"

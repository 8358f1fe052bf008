import { appRouter } from "@docket/api"
import { z } from "zod"

export interface Request {
  method: string
  path: string
  body?: unknown
}

export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  description?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
}

/** What can be called, with one schema for all that it takes. */
export interface Route {
  name: string
  isQuery: boolean
  schema: Schema
  request(input: unknown): Request
  /** @throws for an input that is not valid */
  check(input: unknown): void
}

/** The type and inputs of procedures, by name. */
export type Procedures = Record<string, { type: string; inputs: z.ZodType[] }>

// The flat record is typed like the nested routers, but it contains procedures.
const flat = appRouter._def.procedures as unknown as Record<string, { _def: Procedures[string] }>
const allProcedures: Procedures = Object.fromEntries(Object.entries(flat).map(([name, { _def }]) => [name, _def]))

/** Every procedure, and every route of the OpenAPI document that takes a capability. */
export function routesOf(document: unknown, procedures = allProcedures): Route[] {
  const { paths } = Document.parse(document)
  return [
    ...Object.entries(procedures).map(([name, procedure]) => routeOfProcedure(name, procedure)),
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation["x-capability"] !== undefined)
        .map(([method, operation]) => routeOfPath(method.toUpperCase(), path, operation)),
    ),
  ]
}

function routeOfProcedure(name: string, { type, inputs: [input] }: Procedures[string]): Route {
  const isQuery = type !== "mutation"
  return {
    name,
    isQuery,
    schema: input === undefined ? {} : (z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema),
    request(value) {
      if (!isQuery) return { method: "POST", path: `/api/trpc/${name}`, body: value }
      const query = value === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(value))}`
      return { method: "GET", path: `/api/trpc/${name}${query}` }
    },
    check(value) {
      const problem = input?.safeParse(value).error
      if (problem)
        throw new Error(`${name} takes no ${JSON.stringify(value)}: write into \`values\` what to send. ${problem}`)
    },
  }
}

const Operation = z.object({
  "x-capability": z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        required: z.boolean(),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()),
      }),
    )
    .default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })) })
    .optional(),
})
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

/** The schema has the parameters of the address beside its `body`. Only the answer shows whether an input is valid. */
function routeOfPath(method: string, address: string, { parameters, requestBody }: z.output<typeof Operation>): Route {
  const body = requestBody?.content["application/json"]?.schema
  const named = parameters.map(({ name, schema, description }) => [name, { ...schema, description }])
  return {
    name: `${method} ${address}`,
    isQuery: method === "GET",
    schema: {
      type: "object",
      properties: { ...Object.fromEntries(named), ...(body && { body }) },
      required: [...parameters.flatMap(({ name, required }) => (required ? [name] : [])), ...(body ? ["body"] : [])],
    },
    request(value) {
      const { body, ...given } = value as Record<string, unknown>
      const text = Object.entries(given).map(([name, one]): [string, string] => [name, String(one)])
      const path = text.reduce((so, [name, one]) => so.replace(`{${name}}`, () => encodeURIComponent(one)), address)
      const query = new URLSearchParams(text.filter(([name]) => !address.includes(`{${name}}`))).toString()
      return { method, path: query === "" ? path : `${path}?${query}`, body }
    },
    check: () => undefined,
  }
}

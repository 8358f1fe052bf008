import type { ExtensionPlace } from "@docket/core/extension-host"

/** A request of a plugin's client to Docket's own interface. */
export interface DocketRequest {
  place: ExtensionPlace
  method: string
  /** With the query. */
  path: string
  headers: readonly (readonly [string, string])[]
  body: string | null
  signal: AbortSignal
}

/** Answers a request with the rights of the place's workspace and no more. */
export type AskDocket = (request: DocketRequest) => Promise<Response>

/** For a service that has no such interface. */
export const answersNothing: AskDocket = async ({ method, path }) =>
  Response.json(
    {
      name: "NotSupportedError",
      data: { message: `The client of plugins cannot do this in Docket yet: ${method} ${path}.` },
    },
    { status: 501 },
  )

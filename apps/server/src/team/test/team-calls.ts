import { appRouter } from "@docket/api"
import { expect } from "vitest"
import type { TeamBrowser, TeamService } from "./start-team-service.ts"

export interface Answered {
  status: number
  data: unknown
  /** Error code of a refusal, from `DocketError`. */
  code: unknown
  /** Message of a refusal. */
  message: string | undefined
}

/** Calls a procedure by its full name. */
export async function callProcedure(
  as: TeamBrowser,
  name: string,
  input?: object,
  headers?: Record<string, string>,
): Promise<Answered> {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } } | undefined>
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const response =
    procedures[name]?._def.type === "query"
      ? await as.get(`/api/trpc/${name}${query}`, headers)
      : await as.post(`/api/trpc/${name}`, input ?? {}, headers)
  const { result, error } = (await response.json()) as {
    result?: { data?: unknown }
    error?: { message: string; data?: { docketCode: unknown } }
  }
  return { status: response.status, data: result?.data, code: error?.data?.docketCode, message: error?.message }
}

export interface Joined {
  browser: TeamBrowser
  person: string
  email: string
  password: string
}

/** A new, signed-in user in the workspace of `inviter`. */
export async function joinTeam(
  service: TeamService,
  inviter: TeamBrowser,
  name: string,
  role: string,
): Promise<Joined> {
  const email = `${name.toLowerCase()}@example.org`
  const { data } = await callProcedure(inviter, "team.invite", { email, role })
  const secret = (data as { url: string }).url.split("#")[1]
  const browser = service.browser()
  const password = `${name} has a password`
  expect((await browser.post("/api/auth/invitation/accept", { secret, name, password })).status).toBe(200)
  const members = (await callProcedure(inviter, "team.members")).data as { person: string; email: string }[]
  const person = members.find((each) => each.email === email)?.person ?? ""
  return { browser, person, email, password }
}

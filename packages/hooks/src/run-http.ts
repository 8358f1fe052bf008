import { addressCheck } from "@docket/core/allowed-host"
import type { ExtensionPlace } from "@docket/core/extension-host"
import { createGuardedPost } from "@docket/core/guarded-post"
import type { HookSet } from "@docket/core/hook-sets"
import { isPublicAddress } from "@docket/core/public-address"
import type { HookHandler } from "@docket/core/schema"
import type { HookEnd } from "./run-command.ts"

interface HttpRun {
  place: Pick<ExtensionPlace, "env" | "isShared" | "unconfined" | "config">
  set: Pick<HookSet, "isOwn">
  handler: Extract<HookHandler, { type: "http" }>
  input: string
  timeoutMs: number
  signal: AbortSignal
}

/** Bytes of an answer that are read. */
const mostAnswer = 1024 * 1024

/**
 * Posts the event to the address of a hook. A project's hook, and any on a shared service, reaches what commands of the project
 * reach, and no variable of the service stands in its headers. A redirect is not followed.
 */
export async function runHttp({ place, set, handler, input, timeoutMs, signal }: HttpRun): Promise<HookEnd> {
  const isFree = set.isOwn && !place.isShared
  const post = createGuardedPost({ limitMs: timeoutMs, answerBytes: mostAnswer, refusal: notPublic })
  const headers = { "content-type": "application/json", ...headersOf(handler, isFree ? place.env : {}) }
  const empty = { exit: null, stdout: "", stderr: "" }
  try {
    const isAllowed = isFree ? () => true : await reachOf(place, new URL(handler.url))
    const { status, body } = await post({ url: handler.url, headers, body: input, isAllowed }, signal)
    const isFine = status >= 200 && status < 300
    return {
      ...empty,
      stdout: isFine ? body : "",
      failure: isFine ? null : `${hostOf(handler.url)} answered ${status}`,
    }
  } catch (error) {
    if (signal.aborted) return { ...empty, failure: null, isStopped: true }
    return { ...empty, failure: error instanceof Error ? error.message : String(error) }
  }
}

/** The addresses that commands of the project reach at a host; without a sandbox those of the public internet. */
async function reachOf(
  { config, unconfined }: HttpRun["place"],
  { protocol, hostname, port }: URL,
): Promise<(address: string) => boolean> {
  if ((await unconfined()) !== null) return isPublicAddress
  const host = hostname.replace(/^\[|\]$/g, "")
  const to = { host, port: Number(port || (protocol === "https:" ? 443 : 80)) }
  const isAllowed = addressCheck(config.sandbox?.network?.allow ?? [], to)
  if (isAllowed !== null) return isAllowed
  const name = [80, 443].includes(to.port) ? host : `${host}:${to.port}`
  const remedy = `Name "${name}" in sandbox.network.allow of your own docket.json.`
  throw new Error(`${name} is not among the hosts that this project's commands and hooks may reach. ${remedy}`)
}

/** Only named variables are filled in; any other is empty. */
function headersOf(
  { headers = {}, allowedEnvVars = [] }: HttpRun["handler"],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? ""
      // A line break would begin another header.
      return allowedEnvVars.includes(name) ? (env[name] ?? "").replace(/[\r\n]/g, "") : ""
    })
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value)]))
}

function hostOf(url: string): string {
  return new URL(url).host
}

function notPublic(hostname: string): Error {
  return new Error(`${hostname} is not on the public internet; only hooks of your own reach such an address`)
}

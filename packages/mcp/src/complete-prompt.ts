import type { Completing } from "@docket/core/extension-host"
import type { McpServer, PromptCompletion } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { commandName } from "./create-command.ts"
import { isPlain, plain } from "./plain-text.ts"
import type { ListedResources } from "./resource-tool.ts"
import { argumentAt } from "./server-prompt.ts"
import { templateGap } from "./template-gap.ts"
import type { KnownServer } from "./tool-cache.ts"

/** Choices that people get, characters of one and of what is said of it, and ms that they wait. */
const most = { options: 20, length: 400, hint: 120, ms: 5_000 } as const
/** Templates of a server that are tried. */
const mostTemplates = 100

type Option = PromptCompletion["options"][number]

/** What is asked for values: a prompt or a template of addresses, one of its variables, and those that are known. */
export interface AskedValues {
  of: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string }
  name: string
  typed: string
  before: Record<string, string>
}

/** A server that a prompt may name. */
export interface CompletingServer {
  server: McpServer
  known: KnownServer
  resources(signal: AbortSignal): Promise<ListedResources>
  /** Values that the server proposes. */
  values(asked: AskedValues, signal: AbortSignal): Promise<string[]>
}

/**
 * What may come next after `@server:`, or in the arguments of `/server:prompt`. What a server does not say in time is not
 * waited for, and what it fails of stands in its log.
 */
export async function completePrompt(
  { timers }: { timers: Timers },
  text: string,
  { servers, signal }: { servers: readonly CompletingServer[]; signal: Completing["signal"] },
): Promise<PromptCompletion | null> {
  const late = new AbortController()
  const forget = timers.after(most.ms, () => late.abort(new Error("It was too slow.")))
  const within = signal === null ? late.signal : AbortSignal.any([signal, late.signal])
  try {
    const found = text.startsWith("@")
      ? await mentionCompletion(text.slice(1), servers, within)
      : await argumentCompletion(text, servers, within)
    return found && { ...found, options: bounded(found.options) }
  } catch {
    return null
  } finally {
    forget()
  }
}

async function mentionCompletion(
  typed: string,
  servers: readonly CompletingServer[],
  signal: AbortSignal,
): Promise<PromptCompletion | null> {
  const withResources = servers.filter(({ known }) => known.hasResources)
  const [, name = "", address] = /^([\w.-]*)(?::(.*))?$/s.exec(typed) ?? [null, "", undefined]
  if (address === undefined) {
    const options = withResources
      .map(({ server }) => server.name)
      .filter((one) => /^[\w.-]{1,64}$/.test(one) && one.toLowerCase().startsWith(typed.toLowerCase()))
    if (options.length === 0) return null
    return { from: 1, options: options.map((one) => ({ text: `${one}:`, hint: "resources", isWhole: false })) }
  }
  const found = withResources.find(({ server }) => server.name === name)
  if (found === undefined) return null
  const { resources, templates } = await found.resources(signal)
  const needle = address.toLowerCase()
  const rank = ({ uri }: (typeof resources)[number]) => (uri.toLowerCase().startsWith(needle) ? 0 : 1)
  const listed = resources
    .filter((one) => `${one.uri}\n${one.name}`.toLowerCase().includes(needle))
    .sort((a, b) => rank(a) - rank(b))
    .map(({ uri, name: title }): Option => ({ text: uri, hint: title, isWhole: true }))
  const gaps = await Promise.all(
    templates.slice(0, mostTemplates).map(({ uriTemplate, name: title }) => {
      const gap = templateGap(uriTemplate, address)
      if (gap === null) return []
      if (gap.kind === "text") return [{ text: gap.whole, hint: title, isWhole: false }]
      const { name: variable, before, typed: value } = gap
      const asked: AskedValues = {
        of: { type: "ref/resource", uri: uriTemplate },
        name: variable,
        typed: value,
        before,
      }
      return found.values(asked, signal).then((values) =>
        values.map(
          (one): Option => ({
            text: `${address.slice(0, gap.from)}${gap.write(one)}${gap.next}`,
            hint: title,
            isWhole: gap.isLast,
          }),
        ),
      )
    }),
  )
  // What is not one word would not be read as an address.
  const options = [...gaps.flat(), ...listed].filter((one) => !/[\s)]/.test(one.text))
  return { from: 1 + name.length + 1, options }
}

async function argumentCompletion(
  text: string,
  servers: readonly CompletingServer[],
  signal: AbortSignal,
): Promise<PromptCompletion | null> {
  const [begun = "", command = ""] = /^\/(\S+)\s+/.exec(text) ?? []
  for (const { server, known, values } of servers) {
    const prompt = known.prompts.find((one) => commandName(server, one) === command)
    if (prompt === undefined) continue
    const at = argumentAt(prompt, text.slice(begun.length))
    if (at === null) return null
    const { name, typed, before, from, write } = at
    const proposed = await values({ of: { type: "ref/prompt", name: prompt.name }, name, typed, before }, signal)
    const options = proposed.flatMap((one) => {
      const written = write(one)
      return written === null ? [] : [{ text: written, hint: name, isWhole: true }]
    })
    return { from: begun.length + from, options }
  }
  return null
}

/** Each choice once, within bounds, and nothing that people do not see. */
function bounded(options: readonly Option[]): Option[] {
  const byText = new Map<string, Option>()
  for (const { text, hint, isWhole } of options) {
    if (byText.size === most.options) break
    if (text === "" || text.length > most.length || !isPlain(text) || /[\n\t]/.test(text) || byText.has(text)) continue
    byText.set(text, { text, hint: plain(hint).slice(0, most.hint), isWhole })
  }
  return [...byText.values()]
}

import { setTimeout } from "node:timers/promises"
import type { RootCommand } from "@bomb.sh/tab"
import { visibleText } from "@docket/core/rule"
import { type Connected, connect } from "../connect/connect.ts"
import { env } from "../env.ts"
import { openedProject } from "../known-project.ts"
import { connectOptions, type ServiceOptions } from "../service-options.ts"

/** What only a service knows. */
const kinds = ["session", "agent", "model", "node"] as const
type Kind = (typeof kinds)[number]

interface Value {
  value: string
  description: string
}

/** How long a service may take (ms): a shell waits for it at each press of the Tab key. A variable sets another time. */
const patience = Number(env.DOCKET_COMPLETION_WAIT) || 1_000

/** The most sessions that are proposed. */
const maxSessions = 30

/**
 * Lets `root` propose sessions, agents, models or nodes where the last of these words is one. Without a service that answers
 * quickly, nothing is proposed.
 */
export async function proposeLiveValues(root: RootCommand, words: readonly string[]): Promise<void> {
  const kind = wantedKind(root, words)
  if (kind === null) return
  // A request that is still open keeps the process until then.
  const late = setTimeout(patience, [], { ref: false })
  const values = await Promise.race([valuesOf(kind, words).catch(() => []), late])
  for (const command of root.commands.values()) {
    const places = [command.options.get(kind), command.arguments.get(kind)]
    for (const place of places) {
      if (place === undefined) continue
      place.handler = (propose) => {
        for (const { value, description } of values) propose(value, description)
      }
    }
  }
}

/** What the last word is: the value of an option, or an argument of that name. */
function wantedKind(root: RootCommand, words: readonly string[]): Kind | null {
  const [before = "", typed = ""] = words.slice(-2)
  const option = kinds.find((kind) => before === `--${kind}` || typed.startsWith(`--${kind}=`))
  if (option !== undefined) return option
  if (typed.startsWith("-")) return null
  const isCalled = (name: string) => name.split(" ").every((word, at) => words[at] === word)
  const called = [...root.commands.values()].filter(({ value }) => value !== "" && isCalled(value))
  return kinds.find((kind) => called.some((command) => command.arguments.has(kind))) ?? null
}

async function valuesOf(kind: Kind, words: readonly string[]): Promise<Value[]> {
  const service = await connect(connectOptions(serviceOf(words), null))
  const values = await read[kind](service, optionOf(words, "project"))
  // A tab or a line break would end the value.
  return values.map(({ value, description }) => ({ value, description: visibleText(description.replace(/\s+/g, " ")) }))
}

const read: Record<Kind, (service: Connected, project: string | undefined) => Promise<Value[]>> = {
  async session({ client }) {
    const { items } = await client.session.list.query({ limit: maxSessions })
    return items.map(({ session }) => ({ value: session.id, description: session.title }))
  },
  async agent(service, project) {
    const projectID = await openedProject(service, project)
    const agents = await service.client.agent.list.query({ projectID })
    return agents.filter(({ hidden }) => !hidden).map(({ name, description }) => ({ value: name, description }))
  },
  async model(service, project) {
    const projectID = await openedProject(service, project)
    const providers = await service.client.provider.list.query({ projectID })
    return providers
      .filter(({ connected }) => connected)
      .flatMap(({ id, models }) => models.map((model) => ({ value: `${id}/${model.id}`, description: model.name })))
  },
  async node({ client }) {
    const { nodes } = await client.nodes.list.query()
    return nodes
      .filter(({ role }) => role === "worker")
      .map(({ id, host, state }) => ({ value: id, description: `${host.name}, ${state}` }))
  },
}

function serviceOf(words: readonly string[]): ServiceOptions {
  const [data, server, url, tokenFile] = ["data", "server", "url", "token-file"].map((name) => optionOf(words, name))
  return {
    ...(data !== undefined && { data }),
    ...(server !== undefined && { server }),
    ...(url !== undefined && { url }),
    ...(tokenFile !== undefined && { tokenFile }),
  }
}

/** The value of an option that is typed already, as `--name value` or `--name=value`. */
function optionOf(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(`--${name}`)
  const joined = words.find((word) => word.startsWith(`--${name}=`))
  return at >= 0 ? words[at + 1] : joined?.slice(name.length + 3)
}

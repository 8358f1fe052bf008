import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { createIdSource, createProviders } from "@docket/core"
import type { PluggedProviders, ProviderAccount } from "@docket/core/plugged-providers"
import { createProgramRoom } from "@docket/core/program-room"
import { projectFixture } from "@docket/core/test/project-fixture"
import { scriptedRuntime } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import { onTestFinished } from "vitest"
import { createPlugins, type PluginsDeps } from "../create-plugins.ts"

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void

/** A provider on this machine: `/token` gives tokens, `/v1/chat/completions` answers who has the last one. */
export async function labProvider(handlers: Record<string, Handler> = {}) {
  const granted: Record<string, unknown>[] = []
  const asked: { authorization: string | undefined; body: string; headers: IncomingMessage["headers"] }[] = []
  let accepted = true
  const usual: Record<string, Handler> = {
    "/token"(_, body, response) {
      granted.push(JSON.parse(body))
      if (!accepted) return void response.writeHead(400).end("{}")
      const n = granted.length
      response.end(JSON.stringify({ access: `access-token-${n}`, refresh: `refresh-token-${n}` }))
    },
    "/v1/chat/completions"(request, body, response) {
      const { authorization } = request.headers
      asked.push({ authorization, body, headers: request.headers })
      if (authorization !== `Bearer access-token-${granted.length}` && authorization !== "Bearer lab-key")
        return void response.writeHead(401).end(JSON.stringify({ error: { message: "unknown token" } }))
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const line of completion("Hello from the lab.")) response.write(line)
      response.end()
    },
  }
  const all = { ...usual, ...handlers }
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString("utf8")
    const handler = all[new URL(request.url ?? "/", "http://lab").pathname]
    if (handler === undefined) response.writeHead(404).end("{}")
    else handler(request, body, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, granted, asked },
    refuseTokens() {
      accepted = false
    },
  }
}

/** A completion as OpenAI's servers stream it. */
export function completion(text: string): string[] {
  const base = { id: "c", object: "chat.completion.chunk", created: 1, model: "one" }
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  return [chunk({ role: "assistant", content: text }, null), chunk({}, "stop"), "data: [DONE]\n\n"]
}

/** Parts of a plugin for the provider "lab". The texts are JavaScript; `base` is the address of the provider. */
export interface LabPlugin {
  /** What `authorize` returns, in place of a code that is given back. */
  begins?: string
  /** The plugin's own fetch; in it, `auth` is its sign-in. */
  fetches?: string
  /** What its loader returns besides. */
  options?: string
  methods?: string
  /** Hooks besides. */
  hooks?: string
  before?: string
  /** ms for which what a code gives counts. */
  lasts?: number
}

/** A plugin with a sign-in by a code, which renews its sign-in once that is old. */
export function labPlugin(base: string, parts: LabPlugin = {}): string {
  const {
    begins = '{ url: base + "/authorize", instructions: "Paste the code.", method: "code", callback: token }',
    fetches = "return fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${auth.access}` } })",
    options = "",
    methods = `[{ type: "oauth", label: "With the lab", authorize: async (inputs) => (${begins}) }, { type: "api", label: "With a key" }]`,
    hooks = "",
    before = "",
    lasts = 3_600_000,
  } = parts
  return `
const base = ${JSON.stringify(base)}
const grant = async (body) => {
  const response = await fetch(base + "/token", { method: "POST", body: JSON.stringify(body) })
  return response.ok ? response.json() : null
}
const token = async (code) => {
  const given = await grant({ code })
  return given === null ? { type: "failed" } : { type: "success", ...given, expires: Date.now() + ${lasts} }
}
export default async ({ client }) => {
  ${before}
  return {
    auth: {
      provider: "lab",
      async loader(getAuth, provider) {
        if ((await getAuth()).type !== "oauth") return {}
        for (const model of Object.values(provider.models)) model.cost = { input: 0, output: 0 }
        return {
          apiKey: "",
          ${options}
          async fetch(input, init) {
            const auth = await getAuth()
            if (auth.expires < Date.now()) {
              const given = await grant({ refresh: auth.refresh })
              if (given === null) throw new Error("Token refresh failed: 400")
              const body = { type: "oauth", ...given, expires: Date.now() + 3_600_000 }
              await client.auth.set({ path: { id: "lab" }, body })
              Object.assign(auth, body)
            }
            ${fetches}
          },
        }
      },
      methods: ${methods},
    },
    ${hooks}
  }
}
`
}

export const ownPlugin = "~/.config/docket/plugin/lab.js"

interface LabOptions extends Partial<Pick<PluginsDeps, "times" | "packages">> {
  files?: Record<string, string>
  /** Of the user's docket.json. */
  config?: object
  isShared?: boolean
}

/** A runtime whose models are the lab's, with plugins. */
export async function lab(base: string, { files = {}, config = {}, isShared = false, ...deps }: LabOptions = {}) {
  const { directory, env, put } = await projectFixture("lab", files)
  let ahead = 0
  const clock = () => Date.now() + ahead
  const plugins = createPlugins({
    ...{ timers: nodeTimers, now: () => performance.now() + ahead, clock, createID: createIdSource() },
    room: createProgramRoom({ most: 8, names: "plugin processes" }),
    packages: { find: async () => null, directoryOf: ({ name }) => name },
    modelInfo: async () => null,
    ...deps,
  })
  const plugged: PluggedProviders = plugins.providers
  const providers = createProviders({
    ...{ dataDirectory: `${directory}/.data`, env: {}, localServers: [], clock, plugged },
    loadRehearsal: () => Promise.reject(new Error("no rehearsal")),
  })
  const model = { name: "One", limit: { context: 100_000, output: 1_000 }, cost: { input: 3, output: 5 } }
  const provider = {
    lab: { npm: "@ai-sdk/openai-compatible", options: { baseURL: `${base}/v1` }, models: { one: model } },
  }
  const host = await scriptedRuntime(() => Promise.reject(new Error("no script")), {
    ...{ directory, env, clock, providers, extensions: [plugins] },
    isShared,
    config: { model: "lab/one", permission: "allow", provider, ...config },
  })
  const { projectID } = host.session
  const named = { kind: "plugin" as const, name: ownPlugin }
  const { extension } = host.runtime
  const list = () => extension.list(projectID)
  const ownConfig = async () => (await host.runtime.config.get(projectID)).config
  const account = async () => (await plugged.list()).find(({ id }) => id === "lab")?.account ?? null
  return {
    ...{ host, put, list, providers, plugged, projectID, directory },
    begin: (way = 0, inputs: Record<string, string> = {}, name = ownPlugin) =>
      extension.signIn(projectID, { ...named, name }, { method: "browser", forAll: false, choice: { way, inputs } }),
    finish: (code: string) => extension.finishSignIn(projectID, named, code),
    signOut: () => extension.signOut(projectID, named, { forAll: false }),
    /** Waits until a sign-in is in this state. */
    async until(state: "in" | "out") {
      for (;;) {
        const now = (await list())[0]?.signIn
        if (now?.state === state) return now
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    account,
    /** Sends a request through the plugin. @returns its status */
    async request(by?: ProviderAccount | null) {
      const of = by ?? (await account())
      if (of === null) throw new Error("nobody is signed in")
      const answer = await plugged.send(of, `${base}/v1/chat/completions`, { method: "POST", body: "{}" })
      await answer.text()
      return answer.status
    },
    ownConfig,
    provided: async () => (await providers.list(await ownConfig())).find(({ id }) => id === "lab"),
    state: async () => (await list())[0]?.signIn,
    /** The last answer, or what went wrong. */
    async ask() {
      await host.prompt("Hello")
      const last = (await host.messages()).items.findLast(({ info }) => info.role === "assistant")
      if (last?.info.role !== "assistant") throw new Error("nothing was answered")
      const text = last.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
      return last.info.error?.message ?? text
    },
    later(ms: number) {
      ahead += ms
    },
  }
}

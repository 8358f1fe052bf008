import type { TrustedFiles } from "@docket/core/child-kit"

/** A plugin as its process loads it. */
export interface ChildPlugin {
  /** Its place in the order, by which messages name it. */
  number: number
  name: string
  /** A file, or a package in the directory of its installation. */
  at: { file: string } | { package: string; directory: string }
  options: Record<string, unknown> | null
}

/** The first message to the process: what it loads, and with what. */
export interface StartMessage {
  op: "start"
  /** Addresses of modules that the process cannot find by itself. */
  modules: { kit: string; zod: string; sdk: string; sdkV2: string }
  trusted: TrustedFiles | null
  plugins: ChildPlugin[]
  input: {
    project: Record<string, unknown>
    directory: string
    worktree: string
    serverUrl: string
  }
  config: Record<string, unknown>
}

/** What a plugin is asked to do. */
export type Asked =
  /** Observe or change what a hook is about. */
  | { kind: "hook"; hook: string; input: unknown; output: unknown }
  | { kind: "tool"; tool: string; args: unknown; context: Record<string, unknown> }
  /** One of its ways to sign in, by its place in the list. */
  | { kind: "authorize"; method: number; inputs: Record<string, string> }
  /** Goes on with a sign-in that `authorize` began. */
  | { kind: "authorized"; flow: number; code: string | null }
  /** What the provider is called with. The plugin asks for the saved sign-in itself. */
  | { kind: "auth-options"; provider: unknown }
  /** The models of the provider. */
  | { kind: "models"; provider: unknown }
  /** A request of the provider, sent by the plugin's own `fetch`: its head and pieces of its body come as messages. */
  | { kind: "fetch"; url: string; init: { method: string; headers: Record<string, string>; body: string | null } }

/** Further messages to the process. */
export type ToChild =
  | StartMessage
  | { op: "call"; id: number; plugin: number; asked: Asked }
  | { op: "abort"; id: number }
  /** The next piece of the answer to a `fetch` can be taken. */
  | { op: "more"; id: number }
  | { op: "answer"; question: number; refused: string | null }
  /** The answer to a request of the client, and pieces of its body (base64). */
  | { op: "response"; request: number; status: number; headers: [string, string][] }
  | { op: "piece"; request: number; bytes: string }
  | { op: "end"; request: number; error: string | null }
  /** Asks whether it still does what it is told. */
  | { op: "ping"; id: number }
  | { op: "dispose" }

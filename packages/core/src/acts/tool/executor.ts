import type { Session } from "../../ground/schema/index.ts"
import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { localMachine } from "./local-machine.ts"
import type { Machine } from "./machine.ts"

/** Where the tools of a session work, until it is closed. */
export interface Place extends Machine {
  /** Of the executor, for people and logs. */
  id: string
  /** Ends what runs in it, and gives its means back. Does not fail. */
  close(): Promise<void>
}

/** What a place is opened for. */
export interface PlaceWork {
  session: Pick<Session, "id" | "rootID">
  /** The sandbox of the session's project; only what the user's own file says of places is in it. */
  config: SandboxConfig
}

/**
 * Opens the places in which the tools of sessions work. Language servers, formatters, hooks, MCP servers, plugins and tool
 * files are no part of it: they work on the machine of the service.
 */
export interface Executor {
  /** As `sandbox.executor` names it. */
  readonly name: NonNullable<SandboxConfig["executor"]>
  /** What confines commands in its places; null when nothing does. Its self-test is that of the places. */
  sandboxFor(config: SandboxConfig): Sandbox | null
  /** Reserves nothing until a command runs. */
  open(work: PlaceWork): Place
  /** Ends all places. Afterwards none is opened. */
  close(): Promise<void>
}

/** Tools work on the machine of the service, commands in its sandbox where it has one. */
export function createLocalExecutor(sandbox: Sandbox | null): Executor {
  const place: Place = { id: "local", ...localMachine, close: async () => {} }
  return { name: "local", sandboxFor: () => sandbox, open: () => place, close: async () => {} }
}

import type { MessageProgram, TokenUsage } from "../../ground/schema/index.ts"
import type { ExtensionPlace } from "../extension/extension-host.ts"

/** Runs the programs of other people that do the work of agents. Nothing starts before it is needed. */
export interface AgentPrograms {
  /**
   * Starts the program of an agent, in a process group of its own, with a conversation for the session.
   * @throws Error in words for people when it does not get that far; then nothing of it is left
   */
  open(wanted: WantedProgram, desk: ProgramDesk): Promise<OpenedProgram>
}

export interface WantedProgram {
  place: ExtensionPlace
  /** The name of the agent, whose entry in the configuration says what is started. */
  agent: string
  /** The program as people know it. */
  name: string
  sessionID: string
  /** Where the session works; absolute. */
  directory: string
  /** Its own id of the conversation that it kept of the session; null for none. */
  earlier: string | null
  /** False: it cannot change the project. */
  mayWrite: boolean
  signal: AbortSignal
}

/** A program that runs, and its conversation. */
export interface OpenedProgram {
  facts: Omit<MessageProgram, "begun" | "context" | "spent"> & { begun: "new" | "resumed" | "inside" }
  /** Whether prompts may hold pictures. */
  takesPictures: boolean
  /**
   * Sends a prompt. Resolves once the program has answered it, after everything that it said before. When the signal aborts,
   * it is told to stop; one that does not is ended.
   * @throws Error in words for people when it answers with an error, or has ended
   */
  prompt(parts: readonly ProgramPromptPart[], signal: AbortSignal): Promise<ProgramEnd>
  /** Ends it with all that it started. Resolves when nothing is left. */
  end(): Promise<void>
}

export type ProgramPromptPart = { type: "text"; text: string } | { type: "picture"; mime: string; base64: string }

/** How a program ended its answer. */
export interface ProgramEnd {
  why: "done" | "stopped" | "refused" | "out of tokens" | "out of steps"
  /** What the answer used, where it tells. */
  tokens: TokenUsage | null
}

/** A tool call of a program, which it makes itself. */
export interface ProgramCall {
  /** Unique in its conversation. */
  id: string
  /** Which of Docket's tools is like it; `acp` for none. */
  tool: "bash" | "edit" | "read" | "webfetch" | "acp"
  /** What it does, in words of the Agent Client Protocol: `edit`, `delete`, `search`, …; `other` where it says none. */
  kind: string
  /** What the program calls its tool, or else the call. */
  name: string
  /** What it says of the call, in words for people. */
  title: string
  input: unknown
  state: "pending" | "running" | "completed" | "failed"
  output: string
  /** The command, where it runs one. */
  command: string | null
  /** The address, where it fetches one. */
  url: string | null
  /** Absolute paths of the files that it is about. */
  files: readonly string[]
  /** What it says that it changes of files: the texts, or parts of them. */
  changes: readonly { file: string; before: string | null; after: string }[]
  /** The commands of `ProgramDesk.run` that it shows as its own. */
  commands: readonly string[]
}

/** A subagent that a program started by itself, and of which it tells. */
export interface ProgramSubagent {
  title: string
  prompt: string
  /** Once its session has begun: hears what it says from its beginning. `prompt` waits for its end, and sends nothing. */
  open(desk: ProgramDesk): OpenedProgram
  /** It gets no session: it is stopped where that can be, and what it asks is refused. */
  refuse(): void
}

/** An entry of a program's plan. The whole list comes each time. */
export interface ProgramPlanEntry {
  content: string
  status: "pending" | "in_progress" | "completed"
  priority: "high" | "medium" | "low"
}

/** A command that runs for a program, by Docket's rules and in its sandbox. */
export interface ProgramCommand {
  id: string
  /** What it has written so far. */
  output(): { text: string; isCut: boolean }
  /** Resolves when it has ended: with its exit code, or null where it was ended or did not run. */
  ended: Promise<{ exit: number | null; signal: string | null }>
  /** The end, once it is there. */
  end(): { exit: number | null; signal: string | null } | null
  kill(): void
}

/** What a program says, and what it asks for. Requests are judged by the rules of the session. */
export interface ProgramDesk {
  /** `id` tells its texts apart, where it has ids of them. */
  say(kind: "text" | "reasoning", text: string, id: string | null): void
  /** Tells of a call, as it stands now. */
  call(call: ProgramCall): void
  /** Whether the program may make a call that it has told of. */
  ask(callID: string): Promise<boolean>
  plan(entries: readonly ProgramPlanEntry[]): void
  /** `spent`: USD for the whole conversation. */
  used(usage: { spent: number | null; context: { used: number; size: number } | null }): void
  /** @throws Error why it may not be read, or cannot */
  read(file: { path: string; line: number | null; limit: number | null }): Promise<string>
  /** @throws Error why it may not be written, or cannot */
  write(file: { path: string; content: string }): Promise<void>
  run(command: { script: string; directory: string | null }): ProgramCommand
  /** The program has started a subagent by itself, which becomes a child of the session. */
  subagent(told: ProgramSubagent): void
  /** The program broke its bounds: it cannot go on. */
  fail(error: Error): void
}

import type { StartedProgram } from "../../acts/tool/start-program.ts"
import type { Tool } from "../../acts/tool/tool.ts"
import type {
  BegunSignIn,
  ExtensionItem,
  ExtensionRef,
  PluginAdditions,
  Project,
  PromptCompletion,
  SignInChoice,
} from "../../ground/schema/index.ts"
import type { Vault } from "../../ground/secret/vault.ts"
import type { ExtensionLedger } from "../../records/extension/extension-ledger.ts"
import type { CountingSource, LoadedConfig } from "../../setup/config/loaded-config.ts"
import type { JudgedFile } from "../../setup/config/provided-file.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Command, ExpandedPart } from "../command/find-commands.ts"
import type { Plug } from "../loop/hooks.ts"

import type { TurnContext } from "../loop/turn-context.ts"

export type { Command, ExpandedPart, JudgedFile, Plug, TurnContext }

/** How to start a program of an extension. */
export interface ExtensionLaunch {
  /** Absolute and real, or on the search path. */
  file: string
  args: string[]
  /** Absolute and real. */
  cwd: string
  /** Variables in addition to those of commands. */
  env: Readonly<Record<string, string>>
  /** Whose work it is, in the marker that finds its processes. */
  owner: string
  /** `sandbox`: as the commands of the project are confined. `free`: with all rights of the service. */
  confined: "sandbox" | "free"
  /**
   * What a confined program reaches: `open`: everything, this machine too; `project`: the hosts that commands may reach;
   * `none`: nothing.
   */
  network: "open" | "project" | "none"
  /** It can change the project. */
  mayWrite: boolean
  /** Directories that it reads in addition; absolute and real. */
  readable: readonly string[]
  /** Directories that it changes in addition; absolute and real. */
  writable?: readonly string[]
  /** Its home and temporary files are those of this name, not of the project whose commands could prepare them. */
  home?: string
  /** Names in `env` that pass although the sandbox keeps variables of their kind out. */
  variables?: readonly string[]
  /** Files that it reads although the rules ask about them; absolute and real. */
  opened?: readonly string[]
}

/** The project in which an extension works. */
export interface ExtensionPlace {
  /** `worktree` and `directory` are those of the turn: a task may have its own. */
  project: Project
  /** The project's own checkout, which people trust and configure; absolute and real. */
  checkout: string
  /** The user's configuration, with the project's as far as it is trusted. */
  config: Config
  /** The files of that configuration, lowest priority first, with where each key stands. */
  sources: readonly CountingSource[]
  /** What the project provides, each with whether it is trusted. */
  provided: readonly JudgedFile[]
  /** Hooks of the project that the user trusted in another form. */
  heldHooks: LoadedConfig["heldHooks"]
  /** MCP servers of the project's configuration that wait for trust. */
  heldServers: LoadedConfig["heldServers"]
  /** The files that commands of its MCP servers name. */
  programs: LoadedConfig["programs"]
  /** MCP servers that other programs of the user have. */
  otherServers: LoadedConfig["otherServers"]
  /** The user trusts what the project brings as it is now. */
  isTrusted: boolean
  /** Several people share the service: then nothing runs `free`. */
  isShared: boolean
  /** Home directory of the workspace, and the data directory; absolute. */
  home: string
  dataDirectory: string
  /** The secrets of the workspace, such as sign-ins. */
  vault: Vault
  env: Readonly<Record<string, string | undefined>>
  ledger: ExtensionLedger
  /** Why nothing can be confined here; null when programs run in the sandbox. */
  unconfined(): Promise<string | null>
  /**
   * Starts a program within the limits of commands; it ends with the service, with all that it started.
   * @throws Error when it cannot be started or may not run here
   */
  start(launch: ExtensionLaunch): Promise<StartedProgram>
}

/** Whose sign-in to which extension. */
export interface SigningIn {
  place: ExtensionPlace
  name: string
  person: string
  /** It is for everybody who works with it: whoever asks may decide that. */
  forAll: boolean
}

/** Sign-ins of people to extensions that need one. */
export interface ExtensionSignIn {
  /** Null when no person is needed any more. `choice`: which of the ways that the extension offers. */
  begin(who: SigningIn, method: "browser" | "device", choice?: SignInChoice): Promise<BegunSignIn | null>
  /** Ends it with what the person was given: a code, or the address to which the browser was sent. */
  finish(who: SigningIn, given: string): Promise<void>
  /** Forgets what was given. */
  signOut(who: SigningIn): Promise<void>
}

/** Who types a prompt where. */
export interface Completing {
  place: ExtensionPlace
  person: string
  /** Aborts when the text has changed. Null where somebody waits for every answer. */
  signal: AbortSignal | null
}

/** Runs the extensions of one kind for one workspace. Nothing starts before it is needed. */
export interface ExtensionHost {
  kind: ExtensionRef["kind"]
  /** The tools for a turn. Called before its first step. */
  tools?(turn: TurnContext, place: ExtensionPlace): Promise<readonly Tool[]>
  /** Whether it has other tools for the turn now; then `tools` is called again before the next step. */
  hasOtherTools?(turn: TurnContext): boolean
  /** As of `ToolSource`. */
  arrivalOf?(turn: TurnContext, place: ExtensionPlace, tool: string): Promise<string | null>
  /** The commands that prompts of a person may be; as with agents. */
  commands?(place: ExtensionPlace, person: string | null): Promise<readonly Command[]>
  /**
   * What it adds to the agents of a project; null for nothing. It is known from before, or else found out once by starting
   * what adds them.
   */
  agents?(place: ExtensionPlace): Promise<Pick<PluginAdditions, "agents" | "tools"> | null>
  /** Where it observes and changes turns. `placeOf` gives the place of a project. */
  plug?(placeOf: (project: Project) => Promise<ExtensionPlace>): Plug
  /** What may come next in a prompt that is being typed; null where it knows nothing. */
  complete?(text: string, asking: Completing): Promise<PromptCompletion | null>
  /** Called once, with the place of what belongs to the user and to no project. */
  atHome?(place: () => Promise<ExtensionPlace>): void
  /** `person` asks: a sign-in may be theirs alone. */
  list(place: ExtensionPlace, person: string): Promise<ExtensionItem[]>
  /** Ends it in the project; it starts again when it is needed. */
  restart?(place: ExtensionPlace, name: string): Promise<void>
  /** Forgets what it keeps of something that is uninstalled, for the person who does that. */
  forget?(place: ExtensionPlace, name: string, person: string): Promise<void>
  /** @throws Error in words for people */
  signIn?: ExtensionSignIn
  /** Starts it now for a person, if it may run. Resolves once it runs or has failed, which `list` tells. */
  start?(place: ExtensionPlace, name: string, person: string): Promise<void>
  close(): Promise<void>
}

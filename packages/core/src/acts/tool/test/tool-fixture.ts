import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { anywhere } from "../../../ground/file/directory-limits.ts"
import { inspectMedia } from "../../../ground/media/inspect-media.ts"
import {
  allowsLocalAddress,
  evaluateRequest,
  type Grant,
  refusedChange,
  restrictedPatterns,
  rulesFromConfig,
} from "../../../ground/rule/index.ts"
import { attachmentAddress } from "../../../ground/schema/index.ts"
import type { PermissionConfig } from "../../../ground/schema/permission.ts"
import { PermissionDeniedError, PermissionRejectedError } from "../../permission/error.ts"
import type { PermissionAsk } from "../../permission/judge.ts"
import { unconfined } from "../../sandbox/confinement.ts"
import { localMachine } from "../local-machine.ts"
import { versionOf } from "../text-file.ts"
import type { KnownFiles, ToolContext } from "../tool.ts"

/** The agent has read every file of the directory as it is when it is asked for. */
export function knownIn(directory: string): KnownFiles {
  return {
    versions: async (name) => [versionOf(statSync(path.resolve(directory, name), { bigint: true }))],
    wrote() {},
  }
}

export interface ToolFixture {
  /** A real git work tree. */
  project: string
  /** A directory outside the project. */
  outside: string
  context: ToolContext
  /** All permission requests, in order. */
  asks: PermissionAsk[]
  /** What a user allowed permanently. */
  grants: Grant[]
  progress: { title?: string; metadata?: Record<string, unknown> }[]
  abort: AbortController
  write(name: string, content: string | Buffer): string
  read(name: string): string
  patterns(permission: string): string[]
}

/**
 * A project on disk and a context whose requests are judged by `rules`; a request that would need the user is rejected.
 */
export function createToolFixture(rules: PermissionConfig = "allow"): ToolFixture {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-tool-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const project = path.join(root, "project")
  const outside = path.join(root, "outside")
  const outputDirectory = path.join(root, "output")
  for (const directory of [project, outside, outputDirectory]) mkdirSync(directory)
  execFileSync("git", ["init", "-q"], { cwd: project })
  const asks: PermissionAsk[] = []
  const grants: Grant[] = []
  const progress: ToolFixture["progress"] = []
  const abort = new AbortController()
  const context: ToolContext = {
    sessionID: "ses_1",
    messageID: "msg_1",
    partID: "prt_1",
    callID: "call_1",
    agent: "build",
    model: { providerID: "test", modelID: "test" },
    directory: project,
    worktree: project,
    outputDirectory,
    ...localMachine,
    ownDirectories: [{ path: path.join(root, "own") }],
    directoryLimits: anywhere,
    skillDirectories: [],
    ownPlan: null,
    closed: {
      patterns: restrictedPatterns("read", [rulesFromConfig(rules)]),
      among: async (files, command) =>
        files.flatMap((file) => {
          const question = { permission: "read", patterns: [file], command, rules: rulesFromConfig(rules), grants }
          const { action } = evaluateRequest(question)
          return action === "allow" ? [] : [{ file, mayAsk: action === "ask" }]
        }),
    },
    confinement: async () => unconfined,
    variables: async () => ({ named: [], withheld: [], isShared: false }),
    mayReachLocally: (address) => allowsLocalAddress(address, [rulesFromConfig(rules)]),
    shellEnv: async (env) => env,
    bound: async () => null,
    signal: abort.signal,
    earlier: { last: () => null, includes: () => false },
    newInstructions: () => [],
    known: null,
    progress: (update) => progress.push(update),
    underWay: () => {},
    beforeChange: async () => {},
    beforeWrite: async (texts) => texts,
    keepFile: async ({ bytes, filename }) => {
      const { mime, facts } = await inspectMedia(bytes, "", { clock: Date.now })
      return { mime, url: attachmentAddress(createHash("sha256").update(bytes).digest("hex")), filename, ...facts }
    },
    noteWriting: async () => {},
    afterChange: async () => null,
    runCalls: () => Promise.reject(new Error("This fixture runs no other calls.")),
    async ask(request) {
      asks.push(request)
      const verdict = evaluateRequest({ ...request, rules: rulesFromConfig(rules), grants })
      if (verdict.action === "deny") throw new PermissionDeniedError(request.permission, verdict.pattern)
      if (verdict.action === "ask") throw new PermissionRejectedError(null)
    },
    askModel: () => Promise.reject(new Error("no model here")),
    inquire: () => Promise.reject(new PermissionRejectedError(null)),
    async refuseChanges(commands) {
      const refused = refusedChange(commands, [rulesFromConfig(rules)])
      if (refused !== null) throw new PermissionDeniedError("bash_change", refused.command)
    },
  }
  return {
    project,
    outside,
    context,
    asks,
    grants,
    progress,
    abort,
    write(name, content) {
      const file = path.join(project, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    read: (name) => readFileSync(path.join(project, name), "utf8"),
    patterns: (permission) => asks.filter((ask) => ask.permission === permission).flatMap((ask) => ask.patterns),
  }
}

/** Rules of a user who is asked about everything outside the project. */
export const insideOnly = { "*": "allow", external_directory: "ask" } satisfies PermissionConfig

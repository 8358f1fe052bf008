import { stat } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { LanguageQuestion } from "@docket/core/language-servers"
import type { StartedProgram } from "@docket/core/start-program"
import type { Timers } from "@docket/core/timers"
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node"
import type { InitializeParams, InitializeResult } from "vscode-languageserver-protocol"
import { compareErrors } from "./compare-errors.ts"
import type { Outcome } from "./describe-check.ts"
import { guardFrames } from "./guard-frames.ts"
import { type FileError, isRecord, readDiagnostics } from "./read-diagnostics.ts"
import { languageOf, type ServerDefinition } from "./server-definitions.ts"
import { filePath, textOf } from "./server-files.ts"

/** ms; longer means that a server does not work (OpenCode waits as long). */
const initializeMs = 45_000
/** ms after which a server that answers nothing is ended. */
const hungMs = 120_000
/** ms of silence after a push that names no version. */
const silenceMs = 150
/** ms before an empty first push counts: some servers send one before they have looked. */
const emptyMs = 1_000
/** ms that the state before a change is waited for. */
const baselineMs = 2_000
/** Files that are open at once; the one that was used least lately is closed. */
const maxOpen = 30
/** Other open files that are asked about after a change. */
const maxOthers = 20
/** Files that are not open and whose pushed errors are kept. */
const maxElsewhere = 500
const maxStderr = 2_000
/** Of LSP 3.17: the server was asked to ask again. */
const askAgain = new Set([-32801, -32802])

interface OpenDocument {
  uri: string
  text: string
  version: number
  /** What the file on disk was when its text was sent. */
  stamp: string
  /** The errors as far as they are known; null before. */
  errors: readonly FileError[] | null
  /** Monotonic ms. */
  openedAt: number
  isPushed: boolean
  /** Told of each push for this document. */
  onPush: ((push: Push) => void) | null
  cancel: CancellationTokenSource | null
}

interface Push {
  version: number | null
  errors: readonly FileError[]
}

/** A running language server. */
export interface LanguageServer {
  pid: number
  /** Resolves with the reason when it has ended. */
  ended: Promise<string>
  /** How many files are open. */
  files(): number
  /**
   * Tells it the new text of a file, and resolves when it is known what is wrong there now: never before, so race it.
   * @param before see `CheckOptions`
   */
  check(file: string, text: string, before?: string | null): Promise<Outcome>
  /** @throws Error when it cannot answer */
  ask(method: string, question: LanguageQuestion): Promise<unknown>
  end(): Promise<void>
}

interface LanguageServerDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
}

/** Speaks the Language Server Protocol 3.17 with a program that was just started in `root`. */
export function createLanguageServer(
  deps: LanguageServerDeps,
  program: StartedProgram,
  { definition, root }: { definition: ServerDefinition; root: string },
): LanguageServer {
  const documents = new Map<string, OpenDocument>()
  const elsewhere = new Map<string, { errors: readonly FileError[]; before: readonly FileError[] }>()
  let capabilities: Record<string, unknown> = {}
  let registersPull = false
  let problem: string | null = null
  let stderr = ""
  program.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxStderr)
  })
  const fail = (reason: string) => {
    problem ??= reason
    void program.end()
  }
  const guarded = program.stdout.pipe(guardFrames(deps.now))
  guarded.on("error", (error) => fail(error.message))
  const connection = createMessageConnection(new StreamMessageReader(guarded), new StreamMessageWriter(program.stdin))
  const ended = program.ended.then(({ exit, signal, over }) => {
    connection.dispose()
    if (problem !== null) return problem
    if (over !== null) return `it was ended because it reached its limit (${over.limit})`
    const last = stderr.trim().split("\n").at(-1)?.trim().slice(0, 300)
    return `it ended (${exit === null ? (signal ?? "a signal") : `exit code ${exit}`})${last ? `: ${last}` : ""}`
  })
  const whenEnded = ended.then((reason): never => {
    throw new Error(reason)
  })
  whenEnded.catch(() => {})
  /** What the server answers, or an error when it ends before. */
  const answer = <T>(wait: Promise<T>): Promise<T> => Promise.race([wait, whenEnded])

  listen(connection, {
    definition,
    root,
    onPull: () => {
      registersPull = true
      for (const document of documents.values()) document.onPush?.({ version: null, errors: [] })
    },
    onPush: (uri, push) => {
      const document = documents.get(uri)
      if (document === undefined) return keepElsewhere(uri, push.errors)
      if (push.version !== null && push.version < document.version) return
      document.onPush?.(push)
    },
  })
  const keepElsewhere = (uri: string, errors: readonly FileError[]) => {
    const known = elsewhere.get(uri)
    elsewhere.delete(uri)
    elsewhere.set(uri, { errors, before: known?.before ?? [] })
    const [oldest] = elsewhere.keys()
    if (elsewhere.size > maxElsewhere && oldest !== undefined) elsewhere.delete(oldest)
  }
  const send = (method: string, params: unknown) => {
    try {
      connection.sendNotification(method, params).catch(() => {})
    } catch {
      // It has ended, which `ended` tells.
    }
  }
  const request = async (method: string, params: unknown, ms: number, cancel?: CancellationTokenSource) => {
    const forget = deps.timers.after(ms, () => fail(`it did not answer within ${ms / 1_000} s`))
    try {
      // An undefined token would be sent as a second parameter.
      const token = cancel === undefined ? [] : [cancel.token]
      return await answer(connection.sendRequest<unknown>(method, params, ...token))
    } finally {
      forget()
    }
  }
  connection.listen()
  const initialized = (async () => {
    const result = await request("initialize", initializeParams(definition, root), initializeMs)
    capabilities =
      isRecord(result) && isRecord((result as unknown as InitializeResult).capabilities)
        ? ((result as unknown as InitializeResult).capabilities as Record<string, unknown>)
        : {}
    send("initialized", {})
    if (definition.settings) send("workspace/didChangeConfiguration", { settings: definition.settings })
  })()
  initialized.catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))

  const canPull = () => registersPull || isRecord(capabilities.diagnosticProvider)
  const open = async (file: string, text: string): Promise<OpenDocument> => {
    const uri = pathToFileURL(file).href
    const document: OpenDocument = {
      ...{ uri, text, version: 1, stamp: await stampOf(file), errors: null },
      ...{ openedAt: deps.now(), isPushed: false, onPush: null, cancel: null },
    }
    for (const [oldest, { onPush, cancel }] of documents) {
      if (documents.size < maxOpen) break
      if (onPush !== null || cancel !== null) continue
      documents.delete(oldest)
      send("textDocument/didClose", { textDocument: { uri: oldest } })
    }
    documents.set(uri, document)
    elsewhere.delete(uri)
    const languageId = languageOf(path.extname(file).toLowerCase())
    send("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } })
    return document
  }
  const change = (document: OpenDocument, text: string, type: number) => {
    const { uri } = document
    document.text = text
    document.version += 1
    send("workspace/didChangeWatchedFiles", { changes: [{ uri, type }] })
    send("textDocument/didChange", { textDocument: { uri, version: document.version }, contentChanges: [{ text }] })
    const sync = capabilities.textDocumentSync
    if (isRecord(sync) && sync.save) send("textDocument/didSave", { textDocument: { uri }, text })
  }
  /** Other open files may have been changed by commands. */
  const refresh = async (document: OpenDocument) => {
    const file = fileURLToPath(document.uri)
    const stamp = await stampOf(file)
    if (stamp === document.stamp) return
    document.stamp = stamp
    const text = await textOf(file)
    if (text !== null && text !== document.text) return change(document, text, 2)
    if (text !== null) return
    documents.delete(document.uri)
    send("workspace/didChangeWatchedFiles", { changes: [{ uri: document.uri, type: 3 }] })
    send("textDocument/didClose", { textDocument: { uri: document.uri } })
  }
  const pull = async (document: OpenDocument): Promise<readonly FileError[]> => {
    document.cancel?.cancel()
    const cancel = new CancellationTokenSource()
    document.cancel = cancel
    try {
      for (let left = 5; ; left--) {
        try {
          const report = await request(
            "textDocument/diagnostic",
            { textDocument: { uri: document.uri } },
            hungMs,
            cancel,
          )
          readRelated(report, keepElsewhere)
          return isRecord(report) ? readDiagnostics(report.items) : []
        } catch (error) {
          const mayAsk = error instanceof ResponseError && askAgain.has(error.code) && left > 0
          if (!mayAsk || cancel.token.isCancellationRequested) throw error
        }
      }
    } finally {
      if (document.cancel === cancel) document.cancel = null
    }
  }
  /** The errors in the version that was sent last. */
  const diagnose = async (document: OpenDocument): Promise<readonly FileError[]> => {
    const errors = canPull()
      ? await pull(document)
      : ((await answer(pushed(deps, document, canPull))) ?? (await pull(document)))
    document.errors = errors
    return errors
  }
  const begin = async (file: string, text: string, before: string | null | undefined) => {
    const known = documents.get(pathToFileURL(file).href)
    if (known !== undefined) {
      // Used last.
      documents.delete(known.uri)
      documents.set(known.uri, known)
      const errors = known.errors ?? []
      known.stamp = await stampOf(file)
      change(known, text, 2)
      return { document: known, errors }
    }
    if (typeof before !== "string") {
      const uri = pathToFileURL(file).href
      if (before === null) send("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 1 }] })
      return { document: await open(file, text), errors: [] }
    }
    const document = await open(file, before)
    const errors = await Promise.race([
      diagnose(document).catch(() => []),
      new Promise<readonly FileError[]>((resolve) => deps.timers.after(baselineMs, () => resolve([]))),
    ])
    change(document, text, 2)
    return { document, errors }
  }
  const checkOthers = async (document: OpenDocument) => {
    const others = [...documents.values()].filter((one) => one !== document).slice(-maxOthers)
    const found = await Promise.all(
      others.map(async (other) => {
        const errors = other.errors ?? []
        const now = canPull() ? await pull(other).catch(() => errors) : errors
        other.errors = now
        return { file: fileURLToPath(other.uri), fresh: compareErrors(errors, now).fresh }
      }),
    )
    const pushedElsewhere = [...elsewhere].flatMap(([uri, kept]) => {
      const { fresh } = compareErrors(kept.before, kept.errors)
      kept.before = kept.errors
      return fresh.length > 0 && uri.startsWith("file:") ? [{ file: filePath(uri), fresh }] : []
    })
    return [...found, ...pushedElsewhere].filter(({ fresh, file }) => fresh.length > 0 && file !== "")
  }
  return {
    pid: program.pid,
    ended,
    files: () => documents.size,
    async check(file, text, before) {
      try {
        await answer(initialized)
        await Promise.all([...documents.values()].filter(({ uri }) => uri !== pathToFileURL(file).href).map(refresh))
        for (const kept of elsewhere.values()) kept.before = kept.errors
        const { document, errors } = await begin(file, text, before)
        const now = await diagnose(document)
        return { kind: "found", own: compareErrors(errors, now), others: await checkOthers(document) }
      } catch (error) {
        return { kind: "failed", reason: error instanceof Error ? error.message : String(error) }
      }
    },
    async ask(method, { file, text, line, column }) {
      await answer(initialized)
      const uri = pathToFileURL(file).href
      const known = documents.get(uri)
      if (known === undefined) await open(file, text)
      else if (known.text !== text) change(known, text, 2)
      return request(
        method,
        {
          textDocument: { uri },
          position: { line: line - 1, character: column - 1 },
          context: { includeDeclaration: true },
        },
        hungMs,
      )
    },
    async end() {
      problem ??= "it was stopped"
      await program.end()
      await ended
    },
  }
}

/**
 * Waits for the push that counts for a document: with a version that is not older, or none and silence after it. An
 * empty first one counts only after a second. Resolves with null when the server now wants to be asked.
 */
function pushed(
  { timers, now }: LanguageServerDeps,
  document: OpenDocument,
  canPull: () => boolean,
): Promise<readonly FileError[] | null> {
  return new Promise((resolve) => {
    let forget = () => {}
    const settle = (errors: readonly FileError[] | null) => {
      forget()
      document.onPush = null
      document.isPushed = true
      resolve(errors)
    }
    document.onPush = ({ version, errors }) => {
      forget()
      if (canPull()) return settle(null)
      const early = !document.isPushed && errors.length === 0 ? emptyMs - (now() - document.openedAt) : 0
      const wait = Math.max(version === null ? silenceMs : 0, early)
      if (wait <= 0) return settle(errors)
      forget = timers.after(wait, () => settle(errors))
    }
  })
}

interface Listener {
  definition: ServerDefinition
  root: string
  onPull(): void
  onPush(uri: string, push: Push): void
}

/** Answers what servers ask: those that get no answer wait for ever. */
function listen(connection: MessageConnection, { definition, root, onPull, onPush }: Listener): void {
  connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => {
    if (!isRecord(params) || typeof params.uri !== "string") return
    const version = typeof params.version === "number" ? params.version : null
    onPush(normalUri(params.uri), { version, errors: readDiagnostics(params.diagnostics) })
  })
  connection.onRequest("workspace/configuration", (params: unknown) => {
    const items = isRecord(params) && Array.isArray(params.items) ? params.items.slice(0, 100) : []
    return items.map((item: unknown) => settingsOf(definition, root, isRecord(item) ? item.section : ""))
  })
  connection.onRequest("client/registerCapability", (params: unknown) => {
    const list = isRecord(params) && Array.isArray(params.registrations) ? params.registrations : []
    if (list.some((one: unknown) => isRecord(one) && one.method === "textDocument/diagnostic")) onPull()
    return null
  })
  connection.onRequest("workspace/workspaceFolders", () => [folderOf(root)])
  connection.onRequest("workspace/applyEdit", () => ({ applied: false, failureReason: "Only people and agents edit." }))
  for (const method of [
    "client/unregisterCapability",
    "window/workDoneProgress/create",
    "workspace/diagnostic/refresh",
    "workspace/codeLens/refresh",
    "workspace/semanticTokens/refresh",
    "workspace/inlayHint/refresh",
    "window/showMessageRequest",
  ])
    connection.onRequest(method, () => null)
  // A message of a wrong form or a broken pipe: the end of the program tells the rest.
  connection.onError(() => {})
  connection.onClose(() => {})
}

function settingsOf({ settings = {} }: ServerDefinition, root: string, section: unknown): unknown {
  const name = typeof section === "string" ? section : ""
  const whole = settings[name]
  const found =
    whole ?? name.split(".").reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), settings) ?? {}
  return isRecord(found) && "workingDirectory" in found ? { ...found, workspaceFolder: folderOf(root) } : found
}

function folderOf(root: string): { uri: string; name: string } {
  return { uri: pathToFileURL(root).href, name: path.basename(root) }
}

function initializeParams({ initialization, settings }: ServerDefinition, root: string): InitializeParams {
  return {
    processId: null,
    clientInfo: { name: "docket" },
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [folderOf(root)],
    initializationOptions: initialization ?? settings ?? {},
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      window: { workDoneProgress: true },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeConfiguration: { dynamicRegistration: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
        diagnostics: { refreshSupport: true },
      },
      textDocument: {
        synchronization: { didSave: true },
        publishDiagnostics: { versionSupport: true, relatedInformation: false },
        diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
        definition: { linkSupport: true },
        references: {},
        hover: { contentFormat: ["plaintext", "markdown"] },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      },
    },
  }
}

/** LSP 3.17: a report may tell of other documents. */
function readRelated(report: unknown, keep: (uri: string, errors: readonly FileError[]) => void): void {
  if (!isRecord(report) || !isRecord(report.relatedDocuments)) return
  for (const [uri, related] of Object.entries(report.relatedDocuments).slice(0, maxElsewhere))
    if (isRecord(related) && related.kind === "full") keep(normalUri(uri), readDiagnostics(related.items))
}

/** Servers write the same address in several ways. */
function normalUri(uri: string): string {
  const file = filePath(uri)
  return file === "" ? uri : pathToFileURL(file).href
}

async function stampOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => null)
  return facts === null ? "" : `${facts.mtimeMs} ${facts.size}`
}

import { randomUUID } from "node:crypto"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { createPeerState } from "../../ground/event/peer-state.ts"
import type { Peers } from "../../ground/event/peers.ts"
import type { Caller, EditorAnswer, EditorAsk, EditorReader, Session } from "../../ground/schema/index.ts"

interface EditorsDeps {
  bus: Bus
  /** Other runtimes, with editors of their own; absent where there are none. */
  peers?: Peers | undefined
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Pick<Session, "rootID" | "by">>
  timers?: Timers
}

export interface EditorService {
  /**
   * Answers an `editor.asked` that came to an editor of the caller. False when nobody waits for it any more.
   * @throws session_not_found
   */
  answer(sessionID: string, askID: string, answer: EditorAnswer): Promise<boolean>
}

/** The editors in which trees are open. They know the texts that are not saved, and may offer a terminal. */
export interface Editors {
  as(caller: Caller): EditorService
  /**
   * The caller's editor is asked about the tree until the returned function is called. Only whoever began a tree says what
   * its agents read and where they run programs: the editors of others are not asked.
   * @throws session_not_found
   */
  enter(rootID: string, editor: EditorReader, caller: Caller): Promise<() => void>
  /** The text of a file in the editors of a tree; null when it is saved, or no editor answers in time. */
  unsavedText(rootID: string, path: string): Promise<string | null>
  /** Whether an editor of the tree runs commands in its terminal. */
  hasTerminal(rootID: string): boolean
  /**
   * Runs a command in the terminal of an editor of the tree. When the signal aborts, the editor is told to end it.
   * @returns null when the editor left before the end, or when there is none
   */
  run(rootID: string, ask: Omit<RunAsk, "kind">, signal: AbortSignal): Promise<RunAnswer | null>
  close(): void
}

type RunAsk = Extract<EditorAsk, { kind: "run" }>
type RunAnswer = Exclude<EditorAnswer, { kind: "text" }>

/** An editor that answers later than this (ms) has nothing to say about a file. */
const patienceMs = 5_000
/** An editor that was told to end a command has this long (ms) to say how it ended. */
const endingMs = 5_000

/** An editor that has a tree open. */
interface OpenEditor extends EditorReader {
  person: string
}

/** A question that waits for its answer. */
interface Asked {
  rootID: string
  editor: OpenEditor
  resolve(answer: EditorAnswer | null): void
}

export function createEditors({ bus, peers, sessionByID, timers = nodeTimers }: EditorsDeps): Editors {
  const trees = new Map<string, OpenEditor[]>()
  const asks = new Map<string, Asked>()
  /** Ids of editors that let a question about a file time out: they are asked no more until they answer something. */
  const silent = new Set<string>()
  const elsewhere = createPeerState<OpenEditor[]>({ peers, timers }, "editors", (rootID) => forgetLeft(rootID))
  const editorsHere = (rootID: string) => trees.get(rootID) ?? []
  const editorsOf = (rootID: string) => [...editorsHere(rootID), ...elsewhere.others(rootID).flat()]
  const withTerminal = (rootID: string) => editorsOf(rootID).find(({ hasTerminal }) => hasTerminal)
  const changeHere = (rootID: string, editors: OpenEditor[]) => {
    if (editors.length > 0) trees.set(rootID, editors)
    else trees.delete(rootID)
    elsewhere.put(rootID, editors.length > 0 ? editors : null)
    forgetLeft(rootID)
  }
  /** Nobody waits for an editor that has left. */
  function forgetLeft(rootID: string) {
    const there = new Set(editorsOf(rootID).map(({ id }) => id))
    for (const asked of asks.values()) if (asked.rootID === rootID && !there.has(asked.editor.id)) asked.resolve(null)
  }
  /** False when nobody waits for it here. */
  const take = (askID: string, person: string, answer: EditorAnswer): boolean => {
    const asked = asks.get(askID)
    if (asked?.editor.person !== person) return false
    silent.delete(asked.editor.id)
    asked.resolve(answer)
    return true
  }
  const unlisten = peers?.listen((news) => {
    if (news?.kind === "answer") take(news.askID, news.person, news.answer)
  })

  function put(rootID: string, editor: OpenEditor, ask: EditorAsk) {
    const askID = randomUUID()
    const { promise, resolve } = Promise.withResolvers<EditorAnswer | null>()
    asks.set(askID, { rootID, editor, resolve })
    bus.publish({ type: "editor.asked", rootID, seq: null, properties: { editorID: editor.id, askID, ask } })
    const answer = promise.finally(() => asks.delete(askID))
    return { askID, answer, giveUp: () => resolve(null) }
  }

  async function textIn(rootID: string, editor: OpenEditor, path: string): Promise<string | null> {
    if (silent.has(editor.id)) return null
    const { answer, giveUp } = put(rootID, editor, { kind: "read", path })
    const stopTimer = timers.after(patienceMs, () => {
      silent.add(editor.id)
      giveUp()
    })
    const given = await answer.finally(stopTimer)
    return given?.kind === "text" ? given.text : null
  }

  return {
    as: (caller) => ({
      async answer(sessionID, askID, answer) {
        await sessionByID(sessionID)
        if (take(askID, caller.person, answer)) return true
        // Whether anybody waits there is not known here.
        peers?.tell({ kind: "answer", askID, person: caller.person, answer })
        return peers !== undefined
      },
    }),
    async enter(rootID, reader, caller) {
      const { by } = await sessionByID(rootID)
      if (by?.person !== caller.person) return () => {}
      const editor: OpenEditor = { ...reader, person: caller.person }
      changeHere(rootID, [...editorsHere(rootID), editor])
      return () => {
        const left = editorsHere(rootID).filter((other) => other !== editor)
        if (!left.some(({ id }) => id === editor.id)) silent.delete(editor.id)
        changeHere(rootID, left)
      }
    },
    async unsavedText(rootID, path) {
      const texts = await Promise.all(editorsOf(rootID).map((editor) => textIn(rootID, editor, path)))
      return texts.find((text) => text !== null) ?? null
    },
    hasTerminal: (rootID) => withTerminal(rootID) !== undefined,
    async run(rootID, ask, signal) {
      const editor = withTerminal(rootID)
      if (editor === undefined) return null
      const { askID, answer, giveUp } = put(rootID, editor, { kind: "run", ...ask })
      let stopTimer = () => {}
      const end = () => {
        bus.publish({ type: "editor.withdrawn", rootID, seq: null, properties: { editorID: editor.id, askID } })
        stopTimer = timers.after(endingMs, giveUp)
      }
      signal.addEventListener("abort", end, { once: true })
      if (signal.aborted) end()
      const given = await answer.finally(() => {
        signal.removeEventListener("abort", end)
        stopTimer()
      })
      return given === null || given.kind === "text" ? null : given
    },
    close() {
      unlisten?.()
      elsewhere.close()
    },
  }
}

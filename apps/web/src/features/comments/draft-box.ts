import type { ReviewAnchor, ReviewDraft, ReviewPlace } from "@docket/core/schema"

/** The place or thread that a draft comment belongs to. */
export type CommentPlace =
  | { sessionID: string; place: ReviewPlace; quote: string | null }
  | { sessionID: string; threadID: string }

/** A draft comment of the user, as this page knows it. */
export interface LocalDraft {
  /** Identifies the place or the thread. */
  key: string
  at: CommentPlace
  text: string
  /** The version that the server has, with the server's time of it; null while it has none. */
  saved: { draftID: string; text: string; since: number } | null
  /** The draft is to be posted as soon as possible. */
  posting: boolean
  /** Sync state: the server has this text ("kept"), being saved, waiting for a connection, or refused by the server. */
  state: { is: "kept" } | { is: "saving" } | { is: "offline" } | { is: "refused"; why: string }
  /** Text from another tab that this draft has replaced. */
  replaced: string | null
}

export interface DraftBoxDeps {
  /** `since`: the version that this draft continues. `replaced`: newer text of another tab that was overwritten. */
  save(draft: {
    draftID: string | null
    at: CommentPlace
    text: string
    since: number | null
  }): Promise<ReviewDraft & { replaced?: string }>
  post(sessionID: string, draftID: string): Promise<unknown>
  discard(draftID: string): Promise<unknown>
  /** Whether a call failed on its way to the server; otherwise the server refused it. */
  isLost(error: unknown): boolean
  /** Whether the server no longer has the draft. */
  isUnknown(error: unknown): boolean
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">
  /** Runs `work` after `ms`. Returns a function that cancels it. */
  later(work: () => void, ms: number): () => void
}

/** A draft is saved after a pause of this length (ms). */
const restMs = 600
/** Pauses before a failed save is tried again (ms). */
const retryMs = { first: 2_000, longest: 30_000 }

/** Stores draft comments on the server, and in this browser until the server has confirmed them. */
export interface DraftBox {
  list(): readonly LocalDraft[]
  subscribe(listener: () => void): () => void
  /** Starts a draft at a place, or continues the one that exists. Returns its key. */
  open(at: CommentPlace): string
  write(key: string, text: string): void
  post(key: string): void
  discard(key: string): void
  /** Resolves `replaced`: if `taken`, appends the other tab's text to the draft. */
  takeReplaced(key: string, taken: boolean): void
  /**
   * A number that grows whenever this page saves, posts or discards a draft on the server. A list remembers it when it
   * is requested, so that `adopt` can tell which drafts changed since.
   */
  stamp(): number
  /**
   * Applies the drafts that the server listed; `requestedAt` is the stamp when they were requested. Drafts that changed
   * here since then, or have unsaved text, stay; the others take the newer text.
   */
  adopt(drafts: readonly ReviewDraft[], requestedAt: number): void
  /** Sends failed drafts again, because the connection is back. */
  retry(): void
  /** Resolves when all text is saved, or cannot be saved now. */
  settled(): Promise<void>
  /** Stops sending. Unsaved text stays in the browser. */
  close(): void
}

/** `scope` identifies the tree and the user in the browser's storage. */
export function createDraftBox(deps: DraftBoxDeps, scope: string): DraftBox {
  const drafts = new Map(storedDrafts(deps.storage, scope).map((draft) => [draft.key, draft]))
  const listeners = new Set<() => void>()
  const timers = new Map<string, () => void>()
  const running = new Map<string, Promise<void>>()
  let list: readonly LocalDraft[] = [...drafts.values()]
  /** The stamp of a draft's last change, by the draft's id: a list that was requested earlier may not know of it. */
  const changedAt = new Map<string, number>()
  let stamp = 0
  let pauseMs = retryMs.first
  let closed = false

  const noteChange = (draftID: string) => {
    stamp += 1
    changedAt.set(draftID, stamp)
  }
  const notifyListeners = () => {
    list = [...drafts.values()]
    for (const listener of listeners) listener()
  }
  const put = (draft: LocalDraft) => {
    drafts.set(draft.key, draft)
    storeUnsaved(deps.storage, scope, draft)
    notifyListeners()
  }
  const forget = (key: string) => {
    timers.get(key)?.()
    timers.delete(key)
    drafts.delete(key)
    remove(deps.storage, scope, key)
    notifyListeners()
  }
  const flushLater = (key: string, ms: number) => {
    timers.get(key)?.()
    timers.set(
      key,
      deps.later(() => flush(key), ms),
    )
  }
  const flush = (key: string) => {
    timers.get(key)?.()
    timers.delete(key)
    if (closed || running.has(key)) return
    const work = send(key).finally(() => {
      running.delete(key)
      const draft = drafts.get(key)
      // What the user wrote or posted meanwhile is sent now; "offline" and "refused" drafts wait.
      const hasMoreToSend = draft !== undefined && isWaiting(draft) && draft.state.is === "saving"
      if (hasMoreToSend) flush(key)
    })
    running.set(key, work)
  }
  /** Saves unsaved text, then posts the draft if wanted. On failure the draft is kept and its state shows the error. */
  const send = async (key: string) => {
    try {
      const saved = await saveOne(deps, () => drafts.get(key), put)
      if (saved !== null) noteChange(saved.draftID)
      const draft = drafts.get(key)
      // Only text that the server has can be posted.
      if (saved !== null && draft?.posting === true && draft.text === saved.text) {
        await deps.post(draft.at.sessionID, saved.draftID)
        noteChange(saved.draftID)
        forget(key)
      }
      pauseMs = retryMs.first
    } catch (error) {
      const draft = drafts.get(key)
      if (draft === undefined) return
      if (deps.isUnknown(error)) return onUnknown(draft)
      if (!deps.isLost(error)) {
        const why = error instanceof Error ? error.message : String(error)
        return put({ ...draft, posting: false, state: { is: "refused", why } })
      }
      put({ ...draft, state: { is: "offline" } })
      if (!closed) flushLater(key, pauseMs)
      pauseMs = Math.min(pauseMs * 2, retryMs.longest)
    }
  }
  /** The draft was posted or discarded in another tab. Only text that is newer stays, as a new draft. */
  const onUnknown = (draft: LocalDraft) => {
    if (draft.saved?.text === draft.text) return forget(draft.key)
    put({ ...draft, saved: null, posting: false, state: { is: "saving" } })
  }
  const box: DraftBox = {
    list: () => list,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(at) {
      const key = placeKey(at)
      if (!drafts.has(key))
        put({ key, at, text: "", saved: null, posting: false, state: { is: "kept" }, replaced: null })
      return key
    },
    write(key, text) {
      const draft = drafts.get(key)
      if (draft === undefined) return
      put({ ...draft, text, posting: false, state: { is: "saving" } })
      flushLater(key, restMs)
    },
    post(key) {
      const draft = drafts.get(key)
      if (draft === undefined) return
      put({ ...draft, posting: true, state: { is: "saving" } })
      flush(key)
    },
    discard(key) {
      const { saved } = drafts.get(key) ?? { saved: null }
      forget(key)
      if (saved === null) return
      const { draftID } = saved
      noteChange(draftID)
      // If this fails, the next list shows the draft again, so nothing is lost.
      void deps.discard(draftID).then(
        () => noteChange(draftID),
        () => {},
      )
    },
    takeReplaced(key, taken) {
      const draft = drafts.get(key)
      if (draft === undefined) return
      const words = taken && draft.replaced !== null ? `${draft.text}\n\n${draft.replaced}` : draft.text
      put({ ...draft, replaced: null })
      if (taken) box.write(key, words)
    },
    stamp: () => stamp,
    adopt(listed, requestedAt) {
      const changedSince = (draftID: string) => (changedAt.get(draftID) ?? 0) > requestedAt
      for (const draft of listed) if (!changedSince(draft.id)) adoptOne(drafts, put, draft)
      const ids = new Set(listed.map(({ id }) => id))
      for (const draft of drafts.values()) {
        const { saved, key } = draft
        if (saved === null || isWaiting(draft) || running.has(key)) continue
        // A draft that is not listed any more was posted or discarded in another tab.
        if (!ids.has(saved.draftID) && !changedSince(saved.draftID)) forget(key)
      }
    },
    retry() {
      pauseMs = retryMs.first
      for (const draft of drafts.values()) if (isWaiting(draft) && draft.state.is !== "refused") flush(draft.key)
    },
    async settled() {
      for (const key of [...timers.keys()]) flush(key)
      while (running.size > 0) await Promise.all(running.values())
    },
    close() {
      closed = true
      for (const end of timers.values()) end()
    },
  }
  return box
}

/**
 * Saves a draft until the server has its latest text: the user may go on writing meanwhile. Returns the saved version;
 * null for a draft that was deleted, or that is empty and was never saved.
 */
async function saveOne(
  deps: Pick<DraftBoxDeps, "save">,
  read: () => LocalDraft | undefined,
  put: (draft: LocalDraft) => void,
): Promise<LocalDraft["saved"]> {
  for (;;) {
    const draft = read()
    if (draft === undefined) return null
    const { saved, text, at } = draft
    if (saved?.text === text || (saved === null && text === "")) {
      put({ ...draft, state: { is: "kept" } })
      return saved
    }
    const confirmed = await deps.save({ draftID: saved?.draftID ?? null, at, text, since: saved?.since ?? null })
    const now = read()
    if (now === undefined) return null
    const { id: draftID, time, replaced = now.replaced } = confirmed
    // Take the server's quote: the agent will read that one.
    const place = confirmed.anchor === null ? now.at : placeOf(confirmed)
    put({ ...now, at: place, saved: { draftID, text: confirmed.text, since: time.updated }, replaced })
  }
}

function adoptOne(drafts: ReadonlyMap<string, LocalDraft>, put: (draft: LocalDraft) => void, draft: ReviewDraft): void {
  const saved = { draftID: draft.id, text: draft.text, since: draft.time.updated }
  const at = placeOf(draft)
  const key = placeKey(at)
  const localDraft = [...drafts.values()].find((it) => it.saved?.draftID === draft.id) ?? drafts.get(key)
  if (localDraft === undefined) {
    put({ key, at, text: draft.text, saved, posting: false, state: { is: "kept" }, replaced: null })
  } else if ((localDraft.saved?.since ?? 0) < saved.since && !isWaiting(localDraft)) {
    put({ ...localDraft, text: draft.text, saved, state: { is: "kept" } })
  }
}

/** Whether the draft has unsaved text, or is waiting to be posted. */
export function isWaiting({ text, saved, posting }: LocalDraft): boolean {
  return posting || (saved === null ? text !== "" : saved.text !== text)
}

function placeOf({ sessionID, threadID, anchor }: ReviewDraft): CommentPlace {
  return anchor === null ? { sessionID, threadID } : { sessionID, ...pointOf(anchor) }
}

/** The place of an anchor, and the text quoted there. */
export function pointOf(anchor: ReviewAnchor): { place: ReviewPlace; quote: string | null } {
  if (anchor.kind === "text") {
    const { quote, before: _, after: __, ...place } = anchor
    return { place, quote }
  }
  if (anchor.kind !== "diff") return { place: anchor, quote: null }
  const { quote, ...place } = anchor
  return { place, quote }
}

/** A key that is equal for equal places, independent of the order of their fields. */
export function placeKey(at: CommentPlace): string {
  if ("threadID" in at) return at.threadID
  const { sessionID, place } = at
  switch (place.kind) {
    case "session":
      return sessionID
    case "message":
      return place.messageID
    case "part":
      return place.partID
    case "text":
      return [place.partID, place.of, place.from, place.to].join(" ")
    case "diff": {
      const { scope, path, side, from, to } = place
      return [scope.kind === "task" ? scope.taskID : scope.promptID, side, from, to, path].join(" ")
    }
  }
}

/** The beginning of the keys in the browser's storage; the number is the version of the drafts' format. */
const prefix = "docket-comment-1"

/** Stores in the browser only what the server does not have. */
function storeUnsaved(storage: DraftBoxDeps["storage"], scope: string, draft: LocalDraft): void {
  try {
    if (!isWaiting(draft)) remove(storage, scope, draft.key)
    else storage.setItem(`${prefix} ${scope} ${draft.key}`, JSON.stringify(draft))
  } catch {
    // The storage is full or forbidden: the draft is lost with the page.
  }
}

function remove(storage: DraftBoxDeps["storage"], scope: string, key: string): void {
  storage.removeItem(`${prefix} ${scope} ${key}`)
}

/** Drafts that an earlier page could not save. Entries that cannot be parsed stay in the storage. */
function storedDrafts(storage: DraftBoxDeps["storage"], scope: string): LocalDraft[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
  return keys
    .filter((key) => key.startsWith(`${prefix} ${scope} `))
    .flatMap((key) => {
      try {
        const draft: unknown = JSON.parse(storage.getItem(key) ?? "null")
        return isDraft(draft) ? [draft] : []
      } catch {
        return []
      }
    })
}

function isDraft(value: unknown): value is LocalDraft {
  // The key names the version of the format, so three fields are enough to tell a draft. The server checks the place.
  const draft = value as Partial<LocalDraft> | null
  return typeof draft?.key === "string" && typeof draft.text === "string" && typeof draft.at?.sessionID === "string"
}

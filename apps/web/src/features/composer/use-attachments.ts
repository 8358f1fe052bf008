"use client"

import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { type RestoredPrompt, withRestoredFiles } from "../undo/restored-prompt.ts"
import {
  type Attachment,
  attachmentOf,
  attachmentProblem,
  pastedFile,
  readAttachment,
  withOwnNames,
} from "./attachment.ts"
import { useDrafts } from "./drafts.tsx"
import { fitPicture } from "./fit-picture.ts"

interface AttachmentsOptions {
  draftKey: string
  /** A prompt to restore into the field, with its files. */
  restored: RestoredPrompt | null
  /** Null when files were taken. */
  onProblem(words: string | null): void
}

/** The files of a prompt: pasted, dropped, chosen, or restored with a prompt. They are stored with its draft. */
export function useAttachments({ draftKey, restored, onProblem }: AttachmentsOptions) {
  const drafts = useDrafts()
  const announce = useAnnounce()
  const [attachments, setAttachments] = useState<Attachment[]>(() => drafts.get(draftKey)?.attachments ?? [])
  const existing = useRef(attachments)
  existing.current = attachments
  /** The files that are read now, and whether all of them are taken; null for none. */
  const taking = useRef<Promise<boolean> | null>(null)
  const [dropping, setDropping] = useState(false)
  useEffect(() => {
    const draft = drafts.get(draftKey)
    if (attachments.length > 0 || draft) drafts.set(draftKey, { text: "", picked: [], ...draft, attachments })
  }, [drafts, draftKey, attachments])

  useEffect(() => {
    if (restored === null) return
    const attach = restored.attach.map(attachmentOf)
    setAttachments((existing) => withRestoredFiles(existing, attach, restored.detach))
  }, [restored])

  const take = async (files: readonly File[]): Promise<boolean> => {
    try {
      const fitting: File[] = []
      // One at a time: each large picture is held whole while it is drawn.
      for (const file of files) fitting.push(await fitPicture(file))
      const problem = attachmentProblem(existing.current, fitting)
      onProblem(problem)
      if (problem !== null) return false
      const read = withOwnNames(existing.current, await Promise.all(fitting.map(readAttachment)))
      existing.current = [...existing.current, ...read]
      setAttachments(existing.current)
      announce(`Attached ${read.map(({ name }) => name).join(", ")}`)
      return true
    } catch {
      onProblem("A file could not be read. A directory cannot be attached: mention it with @.")
      return false
    }
  }
  /** One paste after the other, so that each counts what came before it. */
  const takeAfter = async (before: Promise<boolean> | null, files: readonly File[]): Promise<boolean> => {
    const wereTaken = (await before) ?? true
    return (await take(files)) && wereTaken
  }
  const add = async (files: readonly File[]) => {
    const now = takeAfter(taking.current, files)
    taking.current = now
    await now
    if (taking.current === now) taking.current = null
  }
  return {
    attachments,
    dropping,
    add,
    /** The files once all are read; null when some were refused meanwhile. */
    async settled(): Promise<readonly Attachment[] | null> {
      return (await taking.current) === false ? null : existing.current
    },
    remove: (index: number) => setAttachments((existing) => existing.filter((_, at) => at !== index)),
    clear: () => setAttachments([]),
    /** Handlers for pasted and dropped files. Pasted text goes into the field unless it is long. */
    onPaste(event: ClipboardEvent) {
      const text = pastedFile(event.clipboardData.getData("text/plain"), attachments)
      const files = event.clipboardData.files.length === 0 && text ? [text] : [...event.clipboardData.files]
      if (files.length === 0) return
      event.preventDefault()
      void add(files)
    },
    drop: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes("Files")) return
        event.preventDefault()
        setDropping(true)
      },
      onDragLeave: () => setDropping(false),
      onDrop(event: DragEvent) {
        setDropping(false)
        const files = [...event.dataTransfer.files]
        if (files.length === 0) return
        event.preventDefault()
        void add(files)
      },
    },
  }
}

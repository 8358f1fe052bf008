"use client"

import { httpStatus, isClientError } from "@docket/client"
import type { PromptPart } from "@docket/core/schema"
import { useState } from "react"
import { promptSizeProblem } from "./prompt-size.ts"

/** Sends a prompt once. `send` answers whether it was taken; if not, `problem` says why. */
export function useSubmit(onSend: (parts: PromptPart[]) => Promise<unknown>) {
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  return {
    sending,
    problem,
    clearProblem: () => setProblem(null),
    async send(text: string, parts: PromptPart[]): Promise<boolean> {
      const tooLarge = promptSizeProblem(text)
      setProblem(tooLarge)
      if (tooLarge) return false
      setSending(true)
      try {
        await onSend(parts)
        return true
      } catch (error) {
        setProblem(sendProblem(error))
        return false
      } finally {
        setSending(false)
      }
    },
  }
}

/** A failure without an HTTP status never reached the server; the browser's own words for it say nothing. */
function sendProblem(error: unknown): string {
  if (isClientError(error) && httpStatus(error) !== null) return error.message
  return "Docket cannot be reached, so nothing was sent. Your text stays here: send it again when the connection is back."
}

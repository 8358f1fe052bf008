"use client"

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
        setProblem(error instanceof Error ? error.message : "The prompt was not sent. Try again.")
        return false
      } finally {
        setSending(false)
      }
    },
  }
}

"use client"

import type { PromptPart } from "@docket/core/schema"
import { useEffect, useState } from "react"
import { promptSizeProblem } from "./prompt-size.ts"
import { type SendProblem, sendProblem, withConnection } from "./send-problem.ts"

/**
 * Sends a prompt once. `send` returns whether the server accepted it; otherwise `problem` says why. `connected`: the
 * page is live.
 */
export function useSubmit(onSend: (parts: PromptPart[]) => Promise<unknown>, connected: boolean) {
  const [problem, setProblem] = useState<SendProblem | null>(null)
  const [sending, setSending] = useState(false)
  useEffect(() => setProblem(withConnection(problem, connected)), [connected, problem])
  return {
    sending,
    problem,
    clearProblem: () => setProblem(null),
    refuse: (words: string) => setProblem({ kind: "refused", words }),
    fail: (error: unknown) => setProblem(sendProblem(error)),
    async send(text: string, parts: PromptPart[]): Promise<boolean> {
      const tooLarge = promptSizeProblem(text)
      setProblem(tooLarge === null ? null : { kind: "refused", words: tooLarge })
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

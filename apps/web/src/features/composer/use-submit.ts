"use client"

import { useTRPC } from "@docket/client/react"
import type { PromptPart } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { promptSizeProblem } from "./prompt-size.ts"

/** Sends prompts to one session. `send` answers whether the server took it; if not, `problem` says why. */
export function useSubmit(sessionID: string) {
  const trpc = useTRPC()
  const prompt = useMutation(trpc.session.promptAsync.mutationOptions())
  const [problem, setProblem] = useState<string | null>(null)
  return {
    sending: prompt.isPending,
    problem,
    clearProblem: () => setProblem(null),
    async send(text: string, parts: PromptPart[]): Promise<boolean> {
      const tooLarge = promptSizeProblem(text)
      setProblem(tooLarge)
      if (tooLarge) return false
      try {
        await prompt.mutateAsync({ sessionID, parts })
        return true
      } catch (error) {
        setProblem(error instanceof Error ? error.message : "The prompt was not sent. Try again.")
        return false
      }
    },
  }
}

import type { PromptInput, Turn } from "../../ground/schema/index.ts"

export interface PromptService {
  /**
   * Stores the prompt and queues a turn, under the `id` of the request's key when it has one. Returns at once.
   * @throws session_not_found, agent_not_found, model_not_found, variant_not_found, prompt_too_large
   */
  submit(sessionID: string, input: PromptInput, id?: string): Promise<Turn>
  /** Resolves when the turn has ended. */
  wait(turnID: string, signal?: AbortSignal): Promise<Turn>
  /** Takes a queued prompt back. False when it already runs. */
  withdraw(turnID: string): Promise<boolean>
}

/** A tool call of the prompt, with what came back. */
export interface PastCall {
  tool: string
  input: Record<string, unknown>
  output: string
  failed: boolean
}

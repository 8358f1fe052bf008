import type { PromptInput, Session, ToolSwitches } from "../../ground/schema/index.ts"

/** What a turn does without: by its own prompt, and by those that its session was made for. */
export function switchesOf(turn: {
  session: Pick<Session, "tools">
  turn: { input?: Pick<PromptInput, "tools"> | undefined }
}): ToolSwitches[] {
  const { tools } = turn.turn.input ?? {}
  return [...(turn.session.tools ?? []), ...(tools === undefined ? [] : [tools])]
}

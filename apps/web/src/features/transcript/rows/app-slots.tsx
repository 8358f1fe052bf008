"use client"

import { MakeTodos } from "../../todo/make-todos.tsx"
import { LazyDiff } from "../../tools/lazy-diff.tsx"
import { LiveTerminal } from "../../tools/live-terminal.tsx"
import { LongCode } from "../../tools/long-code.tsx"
import { LongMarkdown } from "../../tools/long-markdown.tsx"
import type { ToolBodySlots } from "../../tools/tool-body.tsx"

/** Renderers of tool bodies in the app: highlighted code, live terminals, and diffs by Pierre. */
export const appSlots: ToolBodySlots = {
  code: (text, language) => <LongCode text={text} language={language} />,
  terminal: (body, running) => <LiveTerminal body={body} running={running} />,
  diff: ({ change }) => <LazyDiff change={change} />,
  plan: ({ sessionID, partID, text }) => (
    <>
      <LongMarkdown text={text} noun="plan" />
      <MakeTodos sessionID={sessionID} partID={partID} text={text} />
    </>
  ),
  task: () => null,
}

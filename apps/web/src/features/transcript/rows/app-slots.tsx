"use client"

import { CodeBlock } from "../../markdown/code-block.tsx"
import { LazyDiff } from "../../tools/lazy-diff.tsx"
import { LiveTerminal } from "../../tools/live-terminal.tsx"
import type { ToolBodySlots } from "../../tools/tool-body.tsx"
import styles from "../../tools/tools.module.css"

/** How the app draws the bodies of tools: code in colour, diffs with Pierre. */
export const appSlots: ToolBodySlots = {
  code: (text, language) => (
    <div className={styles.code}>
      <CodeBlock code={text} language={language} />
    </div>
  ),
  terminal: (body, running) => <LiveTerminal body={body} running={running} />,
  diff: ({ change }) => <LazyDiff change={change} />,
  task: () => null,
}

"use client"

import { lazy, useLayoutEffect, useRef, useState } from "react"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { LinkButton } from "../../ui/link-button.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"
import { withoutColours } from "./ansi-pieces.ts"
import type { ToolBody } from "./call-view.ts"
import { Terminal } from "./terminal.tsx"
import styles from "./tools.module.css"
import { useCopy } from "./use-copy.ts"

const OutputViewer = lazyDialog(() => import("./output-viewer.tsx").then((it) => it.OutputViewer))

const AllowLeft = lazy(() =>
  loadPart(() => import("./allow-left.tsx").then((module) => ({ default: module.AllowLeft }))),
)

/** Within this distance the reader counts as being at the end (px). */
const endSlack = 8

/**
 * A command's output in the app. It opens at its end and stays there as it grows; it can be wrapped, copied or shown in
 * full.
 */
export function LiveTerminal({ body, running }: { body: Extract<ToolBody, { kind: "terminal" }>; running: boolean }) {
  const { command, output, exitCode, truncated, savedPart, sessionID, left: leftFiles } = body
  const [wrap, setWrap] = useState(true)
  const [whole, setWhole] = useState(false)
  const scroller = useStayAtEnd(output)
  const { copied, copy } = useCopy()
  return (
    <div>
      <Terminal
        command={command}
        output={output}
        exitCode={exitCode}
        truncated={truncated}
        running={running}
        wrap={wrap}
        scroller={scroller}
      />
      <div className={styles.terminalBar}>
        <LinkButton aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          Wrap lines
        </LinkButton>
        <LinkButton onClick={() => copy(withoutColours(output), "The output")}>
          {copied ? "Copied" : "Copy output"}
        </LinkButton>
        {savedPart === null ? null : <LinkButton onClick={() => setWhole(true)}>Full output</LinkButton>}
      </div>
      {leftFiles.length > 0 ? (
        <PartPlace>
          <AllowLeft left={leftFiles} sessionID={sessionID} />
        </PartPlace>
      ) : null}
      {whole && savedPart !== null ? (
        <OutputViewer partID={savedPart} command={command} onClose={() => setWhole(false)} />
      ) : null}
    </div>
  )
}

/** Keeps the scroll area at its end until the reader leaves it. */
function useStayAtEnd(output: string) {
  const scroller = useRef<HTMLElement>(null)
  const seen = useRef({ height: 0, atEnd: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new output is the reason to run again
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const { height, atEnd } = seen.current
    if (atEnd || height === 0) element.scrollTop = element.scrollHeight
    seen.current = { height: element.scrollHeight, atEnd: atEnd || height === 0 }
    const onScroll = () => {
      seen.current.atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= endSlack
    }
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => element.removeEventListener("scroll", onScroll)
  }, [output])
  return scroller
}

import { commandsOf } from "@docket/core/message"
import type { Part, TaskSummary } from "@docket/core/schema"
import { Elapsed } from "../../ui/elapsed.tsx"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { FileFigures } from "../tools/file-figure.tsx"
import { shownFile } from "../tools/shown-file.ts"
import { errorAdvice } from "../transcript/rows/error-advice.ts"
import { fileLabel } from "../transcript/rows/file-label.ts"
import { MetaRow } from "../transcript/rows/meta-row.tsx"
import { NoticeView } from "../transcript/rows/notice.tsx"
import { promptHeading } from "../transcript/rows/prompt-heading.ts"
import { retryMessage } from "../transcript/rows/retry-messages.ts"
import { linkedPart, type Row } from "../transcript/rows/row.ts"
import { rowLabel } from "../transcript/rows/row-label.ts"
import rows from "../transcript/rows/rows.module.css"
import { thoughtFor } from "../transcript/rows/thought-for.ts"
import { clipText } from "./clip-text.ts"
import { FoldedHtml } from "./folded-html.tsx"
import { forReaders } from "./for-readers.ts"
import styles from "./share.module.css"
import { partAddress, sharedFileAddress } from "./share-address.ts"
import { SharedLanes } from "./shared-lanes.tsx"
import { SharedTool } from "./shared-tool.tsx"

interface SharedRowProps {
  row: Row
  /** Tasks of the whole tree, by id. */
  tasks: Readonly<Record<string, TaskSummary>>
  secret: string
  linked: boolean
}

/** A longer error is truncated (UTF-16 units). */
const shownMessage = 1_000

/** One row of a public transcript, rendered on the server. */
export function SharedRow({ row, tasks, secret, linked }: SharedRowProps) {
  const part = linkedPart(row)
  return (
    <article
      id={part ?? undefined}
      className={styles.row}
      data-kind={row.kind}
      data-linked={linked}
      aria-label={rowLabel(row)}
    >
      <Content row={row} tasks={tasks} secret={secret} linked={linked} />
      {part === null ? null : (
        <a
          className={styles.permalink}
          href={`${partAddress(secret, part)}#${part}`}
          data-copy-link
          aria-label="Copy link to this part"
        >
          #
        </a>
      )}
    </article>
  )
}

function Content({ row, tasks, secret, linked }: SharedRowProps) {
  switch (row.kind) {
    case "prompt":
      return (
        <div className={rows.prompt} data-synthetic={row.synthetic}>
          <h2 className="visually-hidden">{promptHeading(row)}</h2>
          {row.parts.map((part) =>
            part.type === "text" && part.synthetic === true ? (
              <NoticeView key={part.id} part={part} markdown={toHtml} />
            ) : (
              <PartContent key={part.id} part={part} secret={secret} linked={false} />
            ),
          )}
        </div>
      )
    case "part":
      return <PartContent part={row.part} secret={secret} linked={linked} />
    case "meta":
      return <MetaRow message={row.message} totals={row.totals} />
    case "compaction":
      return <p className={rows.divider}>Summary of the earlier messages</p>
    case "error": {
      const advice = errorAdvice(row.error)
      if (advice.quiet) return <p className={rows.stopped}>{advice.title}</p>
      return (
        <section className={rows.error} aria-label={advice.title}>
          <strong>{advice.title}</strong>
          <p>
            <TextWithCode text={clipText(forReaders(row.error.message), shownMessage)} />
          </p>
        </section>
      )
    }
    case "retry": {
      const { failed, reason, next } = retryMessage(row)
      return (
        <p className={rows.retry} data-over={row.over}>
          {failed}: <TextWithCode text={forReaders(reason)} />
          {next === null ? "" : ` ${next} follows.`}
        </p>
      )
    }
    case "waiting":
      return (
        <p className={rows.waiting}>
          <span className={rows.pulse} aria-hidden />
          {row.agent} is working <Elapsed start={row.since} end={null} />
        </p>
      )
    case "lanes":
      return <SharedLanes row={row} tasks={tasks} secret={secret} />
  }
}

const toHtml = (text: string) => <FoldedHtml text={text} />

function PartContent({ part, secret, linked }: { part: Part; secret: string; linked: boolean }) {
  switch (part.type) {
    case "text":
      if (commandsOf(part)?.results.length) return <NoticeView part={part} markdown={toHtml} />
      return (
        <div className={rows.text}>
          <FoldedHtml text={part.text} />
        </div>
      )
    case "reasoning":
      return (
        <details className={styles.reasoning} open={linked}>
          <summary>{thoughtFor(part)}</summary>
          <FoldedHtml text={part.text} />
        </details>
      )
    case "tool":
      return <SharedTool part={part} secret={secret} linked={linked} />
    case "file":
      {
        const file = shownFile(part, part, sharedFileAddress(secret))
        if (file !== null) return <FileFigures files={[file]} />
      }
      return <span className={rows.chip}>{fileLabel(part)}</span>
    case "agent":
      return <span className={rows.chip}>@{part.name}</span>
    case "subtask":
      return (
        <span className={rows.chip}>
          <TextWithCode text={part.description} /> · @{part.agent}
        </span>
      )
    default:
      return null
  }
}

"use client"

import type { TaskReview } from "@docket/core"
import type { TaskSummary, VerdictKind } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { Check, Eye, MessageSquarePlus, PencilLine } from "lucide-react"
import dynamic from "next/dynamic"
import { useMe } from "../../../shell/me.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { Kbd } from "../../../ui/kbd.tsx"
import { lazyPart } from "../../../ui/lazy-part.tsx"
import { loadPart } from "../../../ui/load-part.ts"
import { isSeen } from "../../review/judge.ts"
import { VerdictGlyph } from "../../review/verdict-glyph.tsx"
import { reviewStatusLabel, verdictLabel } from "../../review/verdict-labels.ts"
import { ReasonForm } from "./reason-form.tsx"
import type { Judge } from "./use-judge.ts"
import styles from "./verdict-bar.module.css"
import { VerdictList } from "./verdict-list.tsx"

const DeskSend = lazyPart(
  dynamic(() => loadPart(() => import("../desk/desk-send.tsx").then((it) => it.DeskSend)), { ssr: false }),
)

interface VerdictBarProps {
  task: Pick<TaskSummary, "number" | "rootID" | "sessionID">
  review: TaskReview
  judge: Judge
  onComment(): void
}

/** The bar for the user's verdict on the task. It is always visible. */
export function VerdictBar({ task, review, judge, onComment }: VerdictBarProps) {
  const { number, rootID, sessionID } = task
  return (
    <section className={styles.footer} aria-label={`Verdict on task ${number}`}>
      <DeskSend rootID={rootID} sessionID={sessionID} />
      <VerdictList verdicts={review.verdicts} onWithdraw={judge.withdraw} onNote={judge.write} />
      {!judge.mayJudge ? (
        <div className={styles.choices}>
          <div className={styles.bar}>
            <CombinedVerdict review={review} />
            <span className={styles.who}>Reviewers judge and comment.</span>
          </div>
        </div>
      ) : judge.writing === null ? (
        <Choices review={review} judge={judge} onComment={onComment} />
      ) : (
        <ReasonForm
          key={judge.writing}
          verdict={judge.writing}
          number={number}
          initialReason={judge.refused}
          onGive={(reason) => judge.writing !== null && judge.give(judge.writing, reason)}
          onClose={() => judge.write(null)}
        />
      )}
    </section>
  )
}

function Choices({ review, judge, onComment }: Omit<VerdictBarProps, "task">) {
  const { person } = useMe()
  const own = review.verdicts.find(({ verdict }) => verdict.by.person === person)
  const given = own?.fresh === true ? own.verdict.verdict : null
  const seen = isSeen(review)
  return (
    <div className={styles.choices}>
      <div className={styles.bar}>
        <CombinedVerdict review={review} />
        <Button
          variant="default"
          className={styles.quiet ?? ""}
          data-given={seen}
          aria-pressed={seen}
          leftSection={seen ? <Check size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          rightSection={<Key name="v" />}
          onClick={judge.toggleViewed}
        >
          Viewed
        </Button>
        <Button
          variant="default"
          className={styles.quiet ?? ""}
          leftSection={<MessageSquarePlus size={14} aria-hidden />}
          rightSection={<Key name="c" />}
          onClick={onComment}
        >
          Comment
        </Button>
        <span className={styles.verdicts}>
          <ReasonButton verdict="needs_changes" given={given} judge={judge} keyName="x" />
          <ReasonButton verdict="reject" given={given} judge={judge} keyName="X" />
          <Button
            variant="filled"
            className={styles.approve ?? ""}
            data-given={given === "approve"}
            leftSection={<Check size={14} aria-hidden />}
            rightSection={<Key name="a" />}
            onClick={() => judge.give("approve", "")}
          >
            Approve
          </Button>
          <IconButton
            label="Approve with a note (A)"
            variant="default"
            className={styles.note ?? ""}
            onClick={() => judge.write("approve")}
          >
            <PencilLine size={14} />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

function CombinedVerdict({ review: { mark } }: Pick<VerdictBarProps, "review">) {
  return (
    <span className={styles.mark}>
      <VerdictGlyph status={mark} label="" /> {reviewStatusLabel[mark]}
    </span>
  )
}

interface ReasonButtonProps {
  verdict: "needs_changes" | "reject"
  /** The user's verdict that currently applies. */
  given: VerdictKind | null
  judge: Judge
  keyName: string
}

/** A verdict button that first asks for a reason. */
function ReasonButton({ verdict, given, judge, keyName }: ReasonButtonProps) {
  return (
    <Button
      variant="default"
      className={verdict === "reject" ? (styles.quiet ?? "") : ""}
      data-given={given === verdict}
      leftSection={<VerdictGlyph status={verdict === "reject" ? "rejected" : verdict} label="" />}
      rightSection={<Key name={keyName} />}
      onClick={() => judge.write(verdict)}
    >
      {verdictLabel[verdict]}
    </Button>
  )
}

/** The key of a button, hidden from screen readers. */
function Key({ name }: { name: string }) {
  return (
    <span className={styles.key} aria-hidden>
      <Kbd>{name}</Kbd>
    </span>
  )
}

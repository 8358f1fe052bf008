"use client"

import type { TaskReview } from "@docket/core"
import { localPerson } from "@docket/core/local-person"
import type { VerdictKind } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { Check, Eye, EyeOff, MessageSquarePlus } from "lucide-react"
import { isSeen } from "../review/judge.ts"
import { VerdictMark } from "../review/verdict-mark.tsx"
import { ReasonForm } from "./reason-form.tsx"
import styles from "./verdict-bar.module.css"
import { VerdictList } from "./verdict-list.tsx"

interface VerdictBarProps {
  review: TaskReview
  /** Number of the task. */
  number: number
  /** The verdict whose reason is being written; null while none is. */
  writing: VerdictKind | null
  onWrite(verdict: VerdictKind | null): void
  onGive(verdict: VerdictKind, reason: string): void
  onWithdraw(): void
  onViewed(viewed: boolean): void
  onComment(): void
}

/** What a reviewer says of the task, always within reach. */
export function VerdictBar(props: VerdictBarProps) {
  const { review, number, writing, onWrite, onGive, onViewed, onComment } = props
  const own = review.verdicts.find(({ verdict }) => verdict.by.person === localPerson)
  const given = own?.fresh === true ? own.verdict.verdict : null
  const viewed = isSeen(review)
  return (
    <section className={styles.footer} aria-label={`Verdict on task ${number}`}>
      <VerdictList verdicts={review.verdicts} onWithdraw={props.onWithdraw} />
      {writing === null ? null : (
        <ReasonForm
          key={writing}
          verdict={writing}
          number={number}
          onGive={(reason) => onGive(writing, reason)}
          onClose={() => onWrite(null)}
        />
      )}
      <div className={styles.bar}>
        <span className={styles.mark}>
          <VerdictMark mark={review.mark} />
        </span>
        <Button
          variant={viewed ? "light" : "default"}
          className={styles.quiet ?? ""}
          aria-pressed={viewed}
          leftSection={viewed ? <Eye size={14} aria-hidden /> : <EyeOff size={14} aria-hidden />}
          onClick={() => onViewed(!viewed)}
        >
          Viewed
        </Button>
        <Button
          variant="default"
          className={styles.quiet ?? ""}
          leftSection={<MessageSquarePlus size={14} aria-hidden />}
          onClick={onComment}
        >
          Comment
        </Button>
        <span className={styles.verdicts}>
          <Button
            variant="default"
            className={styles.verdict ?? ""}
            data-given={given === "needs_changes"}
            aria-expanded={writing === "needs_changes"}
            leftSection={<VerdictMark mark="needs_changes" label="" />}
            onClick={() => onWrite(writing === "needs_changes" ? null : "needs_changes")}
          >
            Needs changes
          </Button>
          <Button
            variant="default"
            className={styles.verdict ?? ""}
            data-given={given === "reject"}
            aria-expanded={writing === "reject"}
            leftSection={<VerdictMark mark="rejected" label="" />}
            onClick={() => onWrite(writing === "reject" ? null : "reject")}
          >
            Reject
          </Button>
          <Button
            className={styles.approve ?? ""}
            data-given={given === "approve"}
            leftSection={<Check size={14} aria-hidden />}
            onClick={() => onGive("approve", "")}
          >
            {given === "approve" ? "Approved" : "Approve"}
          </Button>
        </span>
      </div>
    </section>
  )
}

import { X } from "lucide-react"
import { IconButton } from "../../../ui/icon-button.tsx"
import plan from "./plan-card.module.css"
import type { PlanComment } from "./plan-comments.ts"

interface PlanCommentListProps {
  comments: readonly PlanComment[]
  onRemove(index: number): void
}

/** The comments that are sent back with the plan. */
export function PlanCommentList({ comments, onRemove }: PlanCommentListProps) {
  if (comments.length === 0) return null
  return (
    <ul className={plan.comments} aria-label="Comments on the plan">
      {comments.map(({ quote, text }, index) => (
        <li key={`${String(index)} ${text}`}>
          <div className={plan.comment}>
            {quote === null ? null : <blockquote>{quote}</blockquote>}
            <p>{text}</p>
          </div>
          <IconButton label={`Remove the comment “${text.slice(0, 60)}”`} onClick={() => onRemove(index)}>
            <X size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

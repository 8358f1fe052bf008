import type { Session } from "../schema/index.ts"

/** From the first start to the end of the newest work, epoch ms. */
export interface WorkSpan {
  start: number
  /** Null while anything works. */
  end: number | null
}

/**
 * When sessions worked; there must be at least one. A session without a recorded end counts as ended at its last
 * update.
 */
export function workSpan(sessions: Pick<Session, "status" | "ended" | "time">[]): WorkSpan {
  const works = sessions.some(({ status }) => status.type === "busy" || status.type === "retry")
  return {
    start: Math.min(...sessions.map(({ time }) => time.created)),
    end: works ? null : Math.max(...sessions.map(({ ended, time }) => ended?.at ?? time.updated)),
  }
}

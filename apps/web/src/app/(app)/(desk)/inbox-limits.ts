/** Rows that the inbox asks for, and its page brings along: sessions, and tasks of a page of "To review". */
export const inboxLimits = { sessions: 50, toReview: 20 } as const

/** Row limits of the inbox, which its page sends too: sessions, and tasks on a page of "To review". */
export const inboxLimits = { sessions: 50, toReview: 20 } as const

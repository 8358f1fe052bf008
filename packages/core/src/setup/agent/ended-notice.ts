/** How a parent is told of background tasks that ended; the rehearsal model knows the notice by it. */
export const endedNoticeText = "ended. Take the outcome into account; tell the user what matters."

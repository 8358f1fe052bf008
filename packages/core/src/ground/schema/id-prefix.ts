/**
 * Prefix of each entity's id: `<prefix>_` + 12 hex digits of milliseconds + 14 base62 characters. For sessions the
 * digits count down, so that the newest is first; see `createIdSource`.
 */
export const idPrefix = {
  session: "ses",
  message: "msg",
  part: "prt",
  todo: "tod",
  permission: "per",
  grant: "grt",
  project: "prj",
  turn: "trn",
  share: "shr",
  task: "tsk",
  todoChange: "tdc",
  memory: "mem",
  schedule: "sch",
  scheduleRun: "run",
  apiToken: "tok",
  reviewThread: "rvt",
  reviewComment: "rvc",
  reviewVerdict: "rvd",
  reviewViewed: "rvw",
  audit: "aud",
  webhook: "whk",
  webhookDelivery: "whd",
  attachment: "att",
  content: "cnt",
  node: "nod",
  host: "hst",
} as const

export type IdKind = keyof typeof idPrefix

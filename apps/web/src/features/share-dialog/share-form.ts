import type { ShareInfo } from "@docket/core/schema"

/** When a link ends: never, after a number of hours, or at a given time. */
export type Ends = "never" | "1" | "24" | "168" | "720" | "at"

/** The user's settings for a share. */
export interface ShareForm {
  title: string
  audience: ShareInfo["audience"]
  mode: ShareInfo["mode"]
  shows: ShareInfo["shows"]
  indexed: boolean
  ends: Ends
  /** Value of a `datetime-local` field, for `ends: "at"`. */
  endsAt: string
  /** Empty to leave the password unchanged. */
  password: string
  /** Remove the existing password. */
  dropsPassword: boolean
}

export const endChoices: readonly { value: Ends; label: string }[] = [
  { value: "never", label: "Never" },
  { value: "1", label: "In an hour" },
  { value: "24", label: "In a day" },
  { value: "168", label: "In a week" },
  { value: "720", label: "In 30 days" },
  { value: "at", label: "At a time…" },
]

const hourMs = 3_600_000

export const newForm: ShareForm = {
  title: "",
  audience: "link",
  mode: "live",
  shows: { outputs: true, reasoning: true, files: true, pictures: false },
  indexed: false,
  ends: "never",
  endsAt: "",
  password: "",
  dropsPassword: false,
}

export function formOf(share: ShareInfo): ShareForm {
  const { title, audience, mode, shows, indexed, expires } = share
  const ends = expires === null ? "never" : "at"
  return { ...newForm, title: title ?? "", audience, mode, shows, indexed, ends, endsAt: localTime(expires) }
}

/** The error to show to the user; null when the form is valid. */
export function problemOf(form: ShareForm, now: number): string | null {
  if (form.password !== "" && form.password.length < 8) return "A password has at least 8 characters."
  const ends = endOf(form, now)
  if (Number.isNaN(ends)) return "Say when the link ends."
  if (ends !== null && ends <= now) return "The link would have ended already."
  return null
}

/** The data to send. `mode` applies only to a new share. */
export function choiceOf(form: ShareForm, now: number) {
  const { title, audience, shows, indexed, password, dropsPassword } = form
  return {
    title: title.trim() === "" ? null : title.trim(),
    audience,
    shows,
    indexed,
    expires: endOf(form, now),
    ...(password !== "" && { password }),
    ...(password === "" && dropsPassword && { password: null }),
  }
}

/** Epoch ms; null for never, NaN for an invalid time. */
function endOf({ ends, endsAt }: ShareForm, now: number): number | null {
  if (ends === "never") return null
  return ends === "at" ? new Date(endsAt).getTime() : now + Number(ends) * hourMs
}

/** Value for a `datetime-local` field: in the user's time zone, to the minute. */
function localTime(time: number | null): string {
  if (time === null) return ""
  const { year, month, day, hour, minute } = Object.fromEntries(
    parts.formatToParts(time).map(({ type, value }) => [type, value]),
  )
  return `${year}-${month}-${day}T${hour}:${minute}`
}

const parts = new Intl.DateTimeFormat("en", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
})

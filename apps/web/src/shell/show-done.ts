import { loadPart } from "../ui/load-part.ts"

/** How long a word about something that worked stays (ms). */
const shownMs = 2_000

/** A short word in the corner about something that worked. `role` is none where the announcer speaks. */
export async function showDone(message: string, role: "status" | "none" = "status"): Promise<void> {
  const { notifications } = await loadPart(() => import("@mantine/notifications"))
  notifications.show({ message, role, withBorder: true, withCloseButton: false, autoClose: shownMs })
}

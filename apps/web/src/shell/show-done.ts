import { loadPart } from "../ui/load-part.ts"

/** How long the notification stays (ms). */
const shownMs = 2_000

/** Shows a short notification of success. Use `role: "none"` where the announcer speaks. */
export async function showDone(message: string, role: "status" | "none" = "status"): Promise<void> {
  const { notifications } = await loadPart(() => import("@mantine/notifications"))
  notifications.show({ message, role, withBorder: true, withCloseButton: false, autoClose: shownMs })
}

import { loadPart } from "../ui/load-part.ts"
/** Shows a notification about a failed action, with the server's message. */
export async function showProblem(error: unknown): Promise<void> {
  const { notifications } = await loadPart(() => import("@mantine/notifications"))
  notifications.show({
    title: "That did not work",
    message: error instanceof Error ? error.message : "Try again.",
    color: "red",
    withBorder: true,
    autoClose: 8_000,
    closeButtonProps: { "aria-label": "Dismiss" },
  })
}

/** Starts a comment on the focused row, or shows its comments if it has some. */
export function commentOnRow(): void {
  document.activeElement?.closest("[data-row]")?.querySelector<HTMLElement>("[data-comment]")?.click()
}

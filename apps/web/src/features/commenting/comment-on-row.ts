/** Begins a comment on the row that has the focus, or shows what is said of it. */
export function commentOnRow(): void {
  document.activeElement?.closest("[data-row]")?.querySelector<HTMLElement>("[data-comment]")?.click()
}

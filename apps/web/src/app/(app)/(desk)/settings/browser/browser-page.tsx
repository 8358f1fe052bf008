import page from "../../../../../ui/page.module.css"
import { BrowserSections } from "../browser-sections.tsx"
import { SettingsHeader } from "../settings-header.tsx"

/** What a person of a team sets of the browser that they use. */
export function BrowserPage() {
  return (
    <div className={page.page}>
      <SettingsHeader title="This browser" />
      <div className={page.main}>
        <BrowserSections isTeam />
      </div>
    </div>
  )
}

import page from "../../../../../ui/page.module.css"
import { BrowserSections } from "../browser-sections.tsx"
import { SettingsHeader } from "../settings-header.tsx"

/** Settings of the browser that a team member uses. */
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

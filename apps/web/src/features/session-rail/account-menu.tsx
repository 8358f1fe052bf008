"use client"

import { Menu } from "@mantine/core"
import { LogOut, Settings } from "lucide-react"
import { PageLink } from "../../shell/page-link.tsx"
import { PageMenu } from "../../shell/page-menu.tsx"
import { useSignOut } from "../../shell/use-sign-out.ts"
import { AccountButton } from "./account-button.tsx"

/** Account actions of a signed-in team member. */
export function AccountMenu({ onNavigate }: { onNavigate: () => void }) {
  const { signOut, isPending } = useSignOut()
  return (
    <PageMenu position="top-start" width={220} defaultOpened returnFocus>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Settings size={14} />} component={PageLink} href="/settings" onClick={onNavigate}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={14} />} disabled={isPending} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </PageMenu>
  )
}

import { PageLink } from "../../../../../shell/page-link.tsx"
import { Section } from "../section.tsx"
import { TeamPage } from "../team-page.tsx"
import { OtherAccounts } from "./other-accounts.tsx"
import { Passkeys } from "./passkeys.tsx"
import { PasswordForm } from "./password-form.tsx"
import { Totp } from "./totp.tsx"

export function SignInMethodsPage() {
  return (
    <TeamPage
      title="Sign-in methods"
      intro={
        <>
          How you show that you are you. Where you are signed in now:{" "}
          <PageLink href="/settings/sign-ins">My sign-ins</PageLink>.
        </>
      }
    >
      <Section id="password" title="Password">
        <PasswordForm />
      </Section>
      <Section id="codes" title="Two-factor codes">
        <Totp />
      </Section>
      <Section id="passkeys" title="Passkeys">
        <Passkeys />
      </Section>
      <OtherAccounts />
    </TeamPage>
  )
}

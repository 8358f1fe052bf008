import { PageLink } from "../../../../../shell/page-link.tsx"
import { Section } from "../section.tsx"
import { TeamPage } from "../team-page.tsx"
import { PasswordForm } from "./password-form.tsx"

/** How the reader shows who they are. */
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
    </TeamPage>
  )
}

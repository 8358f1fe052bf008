-- CreateTable
CREATE TABLE "AuthUser" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT COLLATE "C",
    "twoFactorEnabled" BOOLEAN DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthUser_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "ipAddress" TEXT COLLATE "C",
    "userAgent" TEXT COLLATE "C",
    "activeOrganizationId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthAccount" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "providerId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "accessToken" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "idToken" TEXT COLLATE "C",
    "accessTokenExpiresAt" TIMESTAMP(3),
    "refreshTokenExpiresAt" TIMESTAMP(3),
    "scope" TEXT COLLATE "C",
    "password" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthAccount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthVerification" (
    "id" TEXT COLLATE "C" NOT NULL,
    "identifier" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthVerification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthOrganization" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "logo" TEXT COLLATE "C",
    "metadata" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthOrganization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthMember" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthMember_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthInvitation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "inviterId" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthInvitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthTwoFactor" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "secret" TEXT COLLATE "C" NOT NULL,
    "backupCodes" TEXT COLLATE "C" NOT NULL,
    "verified" BOOLEAN DEFAULT true,
    "failedVerificationCount" INTEGER DEFAULT 0,
    "lockedUntil" TIMESTAMP(3),

    CONSTRAINT "AuthTwoFactor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthPasskey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "credentialID" TEXT COLLATE "C" NOT NULL,
    "counter" INTEGER NOT NULL,
    "deviceType" TEXT COLLATE "C" NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "transports" TEXT COLLATE "C",
    "aaguid" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3),

    CONSTRAINT "AuthPasskey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthDeviceCode" (
    "id" TEXT COLLATE "C" NOT NULL,
    "deviceCode" TEXT COLLATE "C" NOT NULL,
    "userCode" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "scope" TEXT COLLATE "C",
    "pollingInterval" INTEGER,
    "lastPolledAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthDeviceCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthApiKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "configId" TEXT COLLATE "C" NOT NULL DEFAULT 'default',
    "name" TEXT COLLATE "C",
    "start" TEXT COLLATE "C",
    "prefix" TEXT COLLATE "C",
    "referenceId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "refillInterval" INTEGER,
    "refillAmount" INTEGER,
    "lastRefillAt" TIMESTAMP(3),
    "enabled" BOOLEAN DEFAULT true,
    "rateLimitEnabled" BOOLEAN DEFAULT true,
    "rateLimitTimeWindow" INTEGER,
    "rateLimitMax" INTEGER,
    "requestCount" INTEGER DEFAULT 0,
    "remaining" INTEGER,
    "lastRequest" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "permissions" TEXT COLLATE "C",
    "metadata" TEXT COLLATE "C",

    CONSTRAINT "AuthApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "AuthUser_email_key" ON "AuthUser"("email");

-- CreateIndex
CREATE UNIQUE INDEX "AuthSession_token_key" ON "AuthSession"("token");

-- CreateIndex
CREATE INDEX "AuthSession_userId_idx" ON "AuthSession"("userId");

-- CreateIndex
CREATE INDEX "AuthAccount_userId_idx" ON "AuthAccount"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthAccount_providerId_accountId_key" ON "AuthAccount"("providerId", "accountId");

-- CreateIndex
CREATE INDEX "AuthVerification_identifier_idx" ON "AuthVerification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "AuthOrganization_slug_key" ON "AuthOrganization"("slug");

-- CreateIndex
CREATE INDEX "AuthMember_userId_idx" ON "AuthMember"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthMember_organizationId_userId_key" ON "AuthMember"("organizationId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthInvitation_secretHash_key" ON "AuthInvitation"("secretHash");

-- CreateIndex
CREATE INDEX "AuthInvitation_organizationId_status_idx" ON "AuthInvitation"("organizationId", "status");

-- CreateIndex
CREATE INDEX "AuthInvitation_email_idx" ON "AuthInvitation"("email");

-- CreateIndex
CREATE INDEX "AuthTwoFactor_userId_idx" ON "AuthTwoFactor"("userId");

-- CreateIndex
CREATE INDEX "AuthTwoFactor_secret_idx" ON "AuthTwoFactor"("secret");

-- CreateIndex
CREATE UNIQUE INDEX "AuthPasskey_credentialID_key" ON "AuthPasskey"("credentialID");

-- CreateIndex
CREATE INDEX "AuthPasskey_userId_idx" ON "AuthPasskey"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthDeviceCode_deviceCode_key" ON "AuthDeviceCode"("deviceCode");

-- CreateIndex
CREATE UNIQUE INDEX "AuthDeviceCode_userCode_key" ON "AuthDeviceCode"("userCode");

-- CreateIndex
CREATE UNIQUE INDEX "AuthApiKey_key_key" ON "AuthApiKey"("key");

-- CreateIndex
CREATE INDEX "AuthApiKey_configId_idx" ON "AuthApiKey"("configId");

-- CreateIndex
CREATE INDEX "AuthApiKey_referenceId_idx" ON "AuthApiKey"("referenceId");

-- AddForeignKey
ALTER TABLE "AuthSession" ADD CONSTRAINT "AuthSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthAccount" ADD CONSTRAINT "AuthAccount_userId_fkey" FOREIGN KEY ("userId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthMember" ADD CONSTRAINT "AuthMember_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "AuthOrganization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthMember" ADD CONSTRAINT "AuthMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthInvitation" ADD CONSTRAINT "AuthInvitation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "AuthOrganization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthInvitation" ADD CONSTRAINT "AuthInvitation_inviterId_fkey" FOREIGN KEY ("inviterId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthTwoFactor" ADD CONSTRAINT "AuthTwoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthPasskey" ADD CONSTRAINT "AuthPasskey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "AuthUser"("id") ON DELETE CASCADE ON UPDATE CASCADE;

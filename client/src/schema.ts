// Written by panel/test/schema.test.ts from the API's own document.
export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process responds
         * @description Anybody may call it.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process can serve: database reachable and writable, schema current, not shutting down
         * @description Anybody may call it.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign in
         * @description Without `language`, pushes and mails are in the language that `Accept-Language` prefers.
         *
         *     Anybody may call it.
         *
         *     By default, an address may call it 5 times in 60 s (`register`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description 202 for an administrator with a second factor. Then send a code to POST /api/v1/login/second-factor.
         *
         *     Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * End the session; with device_id, that device receives no more pushes for this account
         * @description Anybody who is signed in may call it.
         */
        get: operations["signOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in as an administrator
         * @description 202 for an administrator with a second factor. Then send a code to POST /api/v1/login/second-factor.
         *
         *     Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["signInAsAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * End the session
         * @description Anybody who is signed in may call it.
         */
        get: operations["signOutAsAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/check-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a token; any answer other than 200 means that it is not valid
         * @description Anybody who is signed in may call it.
         */
        get: operations["checkToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The second step of signing in, with the token of the first step and a code of your app or a recovery code
         * @description Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         */
        post: operations["signInWithSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to the panel; the session is in a cookie
         * @description 202 for an administrator with a second factor. Then send a code to POST /api/admin/v1/session/second-factor, or start with POST /api/admin/v1/session/passkey/options.
         *
         *     Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["openPanelSession"];
        /**
         * Sign out of the panel
         * @description Anybody who is signed in may call it.
         */
        delete: operations["closePanelSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/session/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The second step of signing in to the panel, with the token of the first step and a code
         * @description Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         */
        post: operations["signInToPanelWithSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the second step of a sign-in to the panel with a passkey: returns the options for the browser
         * @description Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         */
        post: operations["askForPasskeyAtSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The second step of a sign-in to the panel, with the token of the first step and a signature of a passkey
         * @description Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         */
        post: operations["signInToPanelWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much waits for the caller, of each kind of work that they may do, and since when
         * @description It requires the right `panel`.
         */
        get: operations["listWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a mail with a link to set a new password; the answer is the same for every address
         * @description Anybody may call it.
         *
         *     By default, an address may call it 10 times in 3600 s (`password-forgot`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token from the mail; all sessions end. A token works once, for 30 minutes
         * @description Anybody may call it.
         *
         *     By default, an address may call it 20 times in 900 s (`mail-token`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the mail for confirming your address again
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 5 times in 3600 s (`address-confirm`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendAddressConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address with the token from its mail. A token works for 30 minutes, also when its link is opened twice
         * @description Anybody may call it.
         *
         *     By default, an address may call it 20 times in 900 s (`mail-token`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["confirmAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where you are signed in: up to 100 open sessions, last used first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listOwnSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else: ends all your sessions but this one
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions; this may be the present one
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether your account has codes of an app, and how many recovery codes are left
         * @description Anybody who is signed in may call it.
         */
        get: operations["getSecondFactor"];
        put?: never;
        /**
         * Start setting up codes of an app; the answer shows the secret for your app once
         * @description It becomes active when you confirm it with a code within 15 minutes. If your account has passkeys, this session must have shown a second factor in the last ten minutes.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["startSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your second factor with a code of your app; the answer shows ten recovery codes once
         * @description After this, signing in requires a code. Your other sessions end.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes with ten new ones; requires a second factor
         * @description Without a code, this session must have shown a second factor in the last ten minutes.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/second-factor/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show your second factor with a code, so that this session may change it for ten minutes
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["showSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the codes of your app off with a code; your other sessions end
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your passkeys, the oldest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add the passkey that the browser created; with your first second factor you get ten recovery codes
         * @description Every later sign-in requires a second factor. If this is your first one, your other sessions end.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of your passkeys and end your other sessions
         * @description This session must have shown a second factor in the last ten minutes.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename one of your passkeys
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/v1/account/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start adding a passkey: returns the options for the browser, valid for 5 minutes
         * @description Requires your password if your account has no second factor. Otherwise this session must have shown a second factor in the last ten minutes.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["startPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/show-passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start showing one of your passkeys: returns the options for the browser, valid for 5 minutes
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["askForPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/show-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show one of your passkeys, so that this session may change your second factor for ten minutes
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         */
        post: operations["showPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/save-phone-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register this phone; call it at every launch of the app
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 10 times in 60 s (`save-phone-token`).
         *
         *     By default, an address may call it 60 times in 60 s (`save-phone-token-ip`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["registerPhone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/phone-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Release a phone: it receives no more pushes
         * @description Anybody who is signed in may call it.
         */
        delete: operations["releasePhone"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your registered phones, last seen first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Release one of your phones: it receives no more pushes until it registers again
         * @description Anybody who is signed in may call it.
         */
        delete: operations["releaseMyDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your settings
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMySettings"];
        /**
         * Change your settings
         * @description Anybody who is signed in may call it.
         */
        put: operations["setMySettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your push settings
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMyPushSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your push settings: the kinds of events and the quiet hours. Other fields stay as they are
         * @description Anybody who is signed in may call it.
         */
        patch: operations["updateMyPushSettings"];
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your profile, with the numbers of the app’s first screen
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMyProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateMyProfile"];
        trace?: never;
    };
    "/api/v1/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People you block, newest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a person; neither of you sees, can write to, or gets pushes about the other
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 60 times in 3600 s (`block`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["blockUser"];
        /**
         * Unblock a person; safe to repeat
         * @description Anybody who is signed in may call it.
         */
        delete: operations["unblockUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a person to the administrators; the person is not informed
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 3600 s (`user-report`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["reportUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your present or last subscription; null if you never had one
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMySubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscriptions/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a store’s event about a subscription; signed, and safe to repeat
         * @description Exists only if SUBSCRIPTION_WEBHOOK_SECRET is set. The headers Swapbell-Timestamp and Swapbell-Signature sign the body: docs/subscription-events.md.
         *
         *     Anybody may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["receiveSubscriptionEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public groups, or your own, newest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group; you are its owner
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 10 times in 3600 s (`group-create`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One group with a page of its members; a private one is 404 for strangers
         * @description Only members see the other members.
         *
         *     Anybody who is signed in may call it.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, description, visibility or join policy of a group that you administer
         * @description Anybody who is signed in may call it.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/api/v1/groups/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People who ask to join a group that you administer, oldest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listJoinRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a group that you own; this cannot be undone
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["archiveMyGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a group, accept its invitation, or ask its administrators
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 30 times in 3600 s (`group-join-request`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["joinGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a group, withdraw your request, or decline its invitation
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["leaveGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person to a group that you administer
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 60 times in 3600 s (`group-invite`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["inviteToGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/members/{user_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve who asks to join
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["approveJoinRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/members/{user_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject who asks to join, or take back an invitation
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["rejectJoinRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/members/{user_id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban a member; only the owner of the group can invite them again
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["banGroupMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Make a member of your group an administrator, or an administrator a member
         * @description Anybody who is signed in may call it.
         */
        patch: operations["setGroupMemberRole"];
        trace?: never;
    };
    "/api/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your unread notifications, newest first, one for each message
         * @description Anybody who is signed in may call it.
         */
        get: operations["listUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification/{notification_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mark a notification, and your other copies of its message, as opened
         * @description Anybody who is signed in may call it.
         */
        get: operations["markNotificationRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification/{notification_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that this phone showed a notification, or that the user dismissed it
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["recordNotificationEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your inbox, newest first: what was sent to you, also without a phone, in quiet hours or of a muted kind
         * @description Anybody who is signed in may call it.
         */
        get: operations["listInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark entries as read without opening them: all up to one, or all about a record
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["readInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark what is in your inbox now as seen, because the app has shown the list
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["seeInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/{message_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an entry as read: its notifications count as opened
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["readInboxEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/{message_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an entry out of the list, as read but not opened
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["archiveInboxEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your swaps as a list shows them, newest or last active first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMySwaps"];
        put?: never;
        /**
         * Propose a swap to the owner of products
         * @description Up to 60 proposals an hour, and 5 an hour to people with whom you never agreed on a swap. A refused proposal does not count.
         *
         *     Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["proposeSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of your swaps with its products, rounds, newest messages and the moves that you may make
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMySwap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/counter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a proposal with a counter-proposal, which waits for the other side
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["counterSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a proposal: the products are reserved
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["acceptSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a proposal
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["declineSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw your own proposal before it is answered
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["withdrawSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that the exchange took place; the second confirmation completes the swap
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["confirmSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an accepted swap that nobody has confirmed
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["cancelSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a dispute about an accepted swap, which an administrator then resolves
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["disputeSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The messages of a swap, newest first; with `after`, those after a message, oldest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listSwapMessages"];
        put?: never;
        /**
         * Send a message to the other side of a swap; they get a push
         * @description Up to 60 messages a minute. At most 10 to a person with whom you never agreed on a swap, until they answer. Not possible after the swap has ended without an exchange. Send an Idempotency-Key to repeat a call safely.
         *
         *     Anybody who is signed in may call it.
         *
         *     By default, an account may call it 60 times in 60 s (`swap-message`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendSwapMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/swaps/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark the messages that you received, up to one, as read
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["markSwapMessagesRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/badge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your badge (unread counts), as the pushes and the stream have it
         * @description Anybody who is signed in may call it.
         */
        get: operations["getBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your badge (unread counts) as server-sent events, now and whenever it changes
         * @description Anybody who is signed in may call it.
         */
        get: operations["streamBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-test-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a test notification to yourself; administrators: to anyone
         * @description Anybody who is signed in may call it.
         */
        get: operations["sendTest"];
        put?: never;
        /**
         * The same as a POST, which the panel makes
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["startTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-group-join-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an administrator of a group to let you join; the push contains your name
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["askToJoinGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-notification-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a bulk send to everyone; it runs in the background
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendToAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-notification-sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a bulk send to test users; it runs in the background
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendToSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-notification-all/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a send to everyone: audience, skips, size in bytes, duration
         * @description It requires the right `campaigns`.
         */
        post: operations["previewSendToAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to named users in one call
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendToUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-notification/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a second administrator to approve a send to named users
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["askToSendToUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/send-system-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a system notification, not promotional, to named users or to everyone
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendSystemNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promotional notifications with their counts, newest first; search, filters, sorting
         * @description It requires the right `campaigns`.
         */
        get: operations["listCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recipients of one promotional notification, one row a device, and its counts
         * @description It requires the right `campaigns`.
         */
        get: operations["listCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause one promotional notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume one promotional notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop one promotional notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["stopCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recipients of one notification, one row a device, and its counts
         * @description It requires the right `campaigns`.
         */
        get: operations["listNotificationRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause one notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["pauseNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume one notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["resumeNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop one notification; honoured before the next request
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["stopNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of one promotional notification as server-sent events, until it is completed or stopped
         * @description It requires the right `campaigns`.
         */
        get: operations["streamCampaignProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/promotional-notifications/{notification_id}/progress-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link to the same stream for a browser’s EventSource, which cannot send a token
         * @description It requires the right `campaigns`.
         */
        post: operations["createCampaignProgressLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of one notification as server-sent events, until it is completed or stopped
         * @description It requires the right `campaigns`.
         */
        get: operations["streamNotificationProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/progress-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link to the same stream for a browser’s EventSource, which cannot send a token
         * @description It requires the right `campaigns`.
         */
        post: operations["createNotificationProgressLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/progress-stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of one notification, by a link for an administrator; no token is needed
         * @description Anybody may call it.
         */
        get: operations["streamProgressByLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every message that selected a user, newest first: notified, skipped with the reason, or waiting
         * @description It requires the right `campaigns`.
         */
        get: operations["listUserNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notifications/{notification_id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The people of a notification, one row a person, in the order of their ids: notified with each copy, skipped with the reason, or waiting; a page may be short before the last
         * @description It requires the right `campaigns`.
         */
        get: operations["listNotificationPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/process-receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch open receipts from the provider now, in the background, oldest first
         * @description It requires the right `campaigns`.
         */
        get: operations["fetchReceipts"];
        put?: never;
        /**
         * The same as a POST, which the panel makes
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["startFetchingReceipts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of sending, with alerts
         * @description It requires the right `campaigns`.
         */
        get: operations["getPushStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Halt sending by all providers or by one; every process obeys within a second
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["haltSending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume sending by one provider or by all after a halt, and the campaigns that the halt paused
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["resumeSending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status/removed-devices/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of devices removed on each day, by provider and reason; by default the last 31 days
         * @description It requires the right `campaigns`.
         */
        get: operations["countRemovedDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status/removed-devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The removed devices without their push tokens, newest first
         * @description It requires the right `campaigns`.
         */
        get: operations["listRemovedDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push-status/removed-devices/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore devices that were removed in a period because the provider reported them gone; `dry_run` only counts them
         * @description It requires the right `campaigns`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["restoreRemovedDevices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Products of others that you can ask for in a swap now
         * @description Anybody who is signed in may call it.
         */
        get: operations["browseProducts"];
        put?: never;
        /**
         * Create a product, as a draft or listed at once
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 60 times in 3600 s (`new-product`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["createMyProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A product as its screen shows it; for your own product also what others cannot see
         * @description Anybody who is signed in may call it.
         */
        get: operations["viewProduct"];
        put?: never;
        post?: never;
        /**
         * Delete one of your products; not possible while it is promised in a swap
         * @description Anybody who is signed in may call it.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        delete: operations["deleteMyProduct"];
        options?: never;
        head?: never;
        /**
         * Change one of your products
         * @description A change of title, description, category or images of a verified product waits for moderators. Until then others see the verified revision.
         *
         *     Anybody who is signed in may call it.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateMyProduct"];
        trace?: never;
    };
    "/api/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All categories by name, with the number of products listed in each
         * @description Anybody who is signed in may call it.
         */
        get: operations["browseCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A person and the products they list, newest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["viewPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your products, newest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List a draft, or submit again a product that was rejected or needs a change
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["submitMyProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a product off the lists for a while
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["pauseMyProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a paused product back on the lists
         * @description Anybody who is signed in may call it.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["resumeMyProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Like a product of somebody else; safe to repeat
         * @description Anybody who is signed in may call it.
         */
        put: operations["likeProduct"];
        post?: never;
        /**
         * Remove a like; safe to repeat. A match remains
         * @description Anybody who is signed in may call it.
         */
        delete: operations["unlikeProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/likes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The products that you like, newest like first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyLikes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People with whom you have a mutual like, newest match first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a product of somebody else to the moderators
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 3600 s (`product-report`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["reportProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your reports and their outcomes, newest first
         * @description Anybody who is signed in may call it.
         */
        get: operations["listMyReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, newest first; search, filters, sorting
         * @description It requires the right `users`.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your own account, or with `id` the account of any user, with sessions, devices, subscription and history
         * @description It requires the right `panel`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an account that you deleted within the last 30 days, then sign in
         * @description A sign-in to a deleted account gets 403 ACCOUNT_DELETED.
         *
         *     Anybody may call it.
         *
         *     By default, an address may call it 30 times in 60 s (`login`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["restoreOwnAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your own account
         * @description Anybody who is signed in may call it.
         */
        get: operations["getMyAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your own account. A new password or address requires current_password. A new password ends all other sessions. If the service sends mail, a new address is pending_email until you confirm it
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateMyAccount"];
        trace?: never;
    };
    "/api/v1/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete your own account. You and administrators can restore it for 30 days; then all of its data is deleted
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 20 times in 60 s (`account`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["deleteOwnAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Download everything that the service stores about you, as a file; requires your password
         * @description Anybody who is signed in may call it.
         *
         *     By default, an account may call it 5 times in 3600 s (`account-export`).
         */
        post: operations["exportOwnData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/admin/create-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with a role below your own
         * @description It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account; a new password, role or status ends its sessions. Change your own account with /api/v1/account
         * @description 202 if a second administrator must approve it, because the account has rights; nothing is changed yet.
         *
         *     It requires the right `users`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/admin/v1/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an account; it can be restored for 30 days
         * @description It requires the right `users`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted account
         * @description 202 if a second administrator must approve it, because the account has rights; nothing is changed yet.
         *
         *     It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["restoreUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All roles, from the lowest to the highest, with their permissions
         * @description It requires the right `users`.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/service-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of the service in the process that answers; secrets are hidden
         * @description It requires the right `audit`.
         */
        get: operations["listServiceSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Products, newest first
         * @description It requires the right `products`.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A product with its owner, images, moderation, open reports, swaps and history
         * @description It requires the right `products`.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/product-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a product without changing its verification
         * @description It requires the right `products.write`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/api/admin/v1/product/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a product; its open swaps are invalidated, and both sides get a push
         * @description It requires the right `products.write`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/add-product-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Products that wait for verification, oldest first by default
         * @description It requires the right `verification`.
         */
        get: operations["listProductsToVerify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/mark-product-verified/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a product; safe to repeat
         * @description It requires the right `verification`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["verifyProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/reject-product/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Product rejected: a push tells the owner why
         * @description It requires the right `verification`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["rejectProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/request-product-changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes requested: a push tells the owner why
         * @description It requires the right `verification`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["requestProductChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/desk/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which products a moderator has taken at the moment
         * @description It requires the right `verification`.
         */
        get: operations["listVerificationLeases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/desk/verification/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a product for two minutes, or for two more; nobody else can decide about it meanwhile
         * @description It requires the right `verification`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["takeVerificationLease"];
        /**
         * Release a product that you have taken
         * @description It requires the right `verification`.
         */
        delete: operations["endVerificationLease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/desk/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which products a moderator has taken at the moment
         * @description It requires the right `product-reports`.
         */
        get: operations["listReportLeases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/desk/reports/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a product for two minutes, or for two more; nobody else can decide about it meanwhile
         * @description It requires the right `product-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["takeReportLease"];
        /**
         * Release a product that you have taken
         * @description It requires the right `product-reports`.
         */
        delete: operations["endReportLease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your decisions of the last ten minutes, newest first
         * @description It requires the right `panel`.
         */
        get: operations["listOwnDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/decisions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a decision of yours within its five seconds; nothing was changed, and nobody was told
         * @description It requires the right `panel`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["undoDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reported products, one row a product, most open reports first; also as CSV
         * @description The filters select products. The numbers always count all reports of each product.
         *
         *     It requires the right `product-reports`.
         */
        get: operations["listReportedProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The reports of one product, newest first by default
         * @description It requires the right `product-reports`.
         */
        get: operations["listReportsOfProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/{report_id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a report to an administrator, by default yourself, and start its review
         * @description It requires the right `product-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["assignProductReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/{report_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a report as right, with the action taken; the reporter gets a push
         * @description It requires the right `product-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["resolveProductReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/{report_id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a report as wrong; the reporter gets a push
         * @description It requires the right `product-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["dismissProductReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-product/{product_id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide all undecided reports of a product at once; their reporters get a push
         * @description It requires the right `product-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["decideReportedProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports about users, newest first by default
         * @description It requires the right `user-reports`.
         */
        get: operations["listUserReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-users/{report_id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a report to an administrator, by default yourself, and start its review
         * @description It requires the right `user-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["assignUserReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/reported-users/{report_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a report about a user with the action taken, or dismiss it
         * @description `suspend_user` requires the right `users`. The note becomes the reason for the suspension.
         *
         *     It requires the right `user-reports`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        post: operations["resolveUserReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user/{id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session of a user
         * @description It requires the right `users`.
         */
        delete: operations["endUserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all sessions of a user
         * @description It requires the right `users`.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/user/{id}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user the mail for a new password, or for confirming the address
         * @description It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["sendSupportMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All categories, by name
         * @description It requires the right `catalogue`.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Add a category, at the top or below another
         * @description It requires the right `catalogue`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an empty category
         * @description It requires the right `catalogue`.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        /**
         * Rename or move a category
         * @description It requires the right `catalogue`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updateCategory"];
        trace?: never;
    };
    "/api/admin/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All plans, by code
         * @description It requires the right `catalogue`.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Add a plan
         * @description It requires the right `catalogue`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a plan; once people have subscribed, only its name
         * @description It requires the right `catalogue`.
         *
         *     With `If-Match` it changes the record only if it still has the version that you read.
         */
        patch: operations["updatePlan"];
        trace?: never;
    };
    "/api/admin/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Groups, newest first by default
         * @description It requires the right `groups`.
         */
        get: operations["listAllGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All present and former members of a group, and the group
         * @description It requires the right `groups`.
         */
        get: operations["listGroupMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/groups/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a group; this cannot be undone
         * @description It requires the right `groups`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["archiveGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps, newest first, with a summary; also as CSV
         * @description The filter by status limits the page; the summary counts all statuses. A search that finds more than 1,000 people gets 422.
         *
         *     It requires the right `reports`.
         */
        get: operations["reportSwaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The report about one user; the range limits the totals and the days of activity
         * @description It requires the right `reports`.
         */
        get: operations["reportOneUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/report/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Subscriptions that were active in a range, with a summary; also as CSV
         * @description The filter by status limits the page; the summary counts all statuses. A range selects subscriptions that were active at some time in it, up to now; a range in the future is empty. A search that finds more than 1,000 people gets 422.
         *
         *     It requires the right `reports`.
         */
        get: operations["reportSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/swap/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One swap with its items, rounds, dispute and history; its messages for a reason, which is audited
         * @description It requires the right `swaps`.
         */
        get: operations["getSwap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/swap/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same with its messages, for a reason, which is audited
         * @description It requires the right `swaps`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["readSwapMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open disputes with their age, oldest first
         * @description It requires the right `swaps`.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/swap/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a dispute; the swap is completed or cancelled, and both sides get a push
         * @description It requires the right `swaps`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["resolveDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the users that match the filters of the list as a file, streamed from one snapshot
         * @description It requires the right `users`.
         *
         *     By default, an account may call it 6 times in 60 s (`export`).
         */
        get: operations["exportUsers"];
        put?: never;
        /**
         * Start the same export in the background; read its status with the id in the answer
         * @description Give the parameters in the body or in the address, not in both.
         *
         *     It requires the right `users`.
         *
         *     By default, an account may call it 6 times in 60 s (`export`).
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["startUsersExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-export/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The status of an export; once it is done, a link to its file that works once within 15 minutes
         * @description It requires the right `users`.
         */
        get: operations["getUsersExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-export/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The file of an export, by the link in its status; no token is needed
         * @description Anybody may call it.
         */
        get: operations["downloadUsersExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The exports of the last 24 hours, newest first
         * @description It requires the right `users`.
         */
        get: operations["listUsersExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-export/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a waiting or running export and delete its file
         * @description It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["cancelUsersExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a bulk change of accounts; nothing is changed yet
         * @description Fixes the selected accounts, given by `ids` or `filter`, and lists those that will not be changed, with the reason. At most 100,000 accounts. Start it within an hour.
         *
         *     It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["prepareBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-bulk/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a bulk change of accounts that you have prepared
         * @description It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["startBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-bulk/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a finished bulk change of accounts; possible once
         * @description Each changed account gets its former state, unless its state was changed again since. Swaps that were closed stay closed. Possible for 7 days.
         *
         *     It requires the right `users`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["undoBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-bulk/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of a bulk change of accounts
         * @description It requires the right `users`.
         */
        get: operations["getBulkChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/users-bulk/{id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts of a bulk change, and the result of each
         * @description It requires the right `users`.
         */
        get: operations["listBulkChangeUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests that wait for a second administrator, and decided ones, newest first
         * @description It requires the right `approvals`.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/approvals/{id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users whom a send that waits for approval names, in its order
         * @description It requires the right `approvals`.
         */
        get: operations["listApprovalUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a request of another administrator; it is done at once, exactly as shown
         * @description It requires the right `approvals`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/approvals/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a request of another administrator, or withdraw your own
         * @description It requires the right `approvals`.
         *
         *     You can repeat it safely with an `Idempotency-Key`.
         */
        post: operations["refuseApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log, newest first: administrative writes, logins, denied calls, exports
         * @description A search that finds more than 1,000 people gets 422.
         *
         *     It requires the right `audit`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/audit-log/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A record at a past time and its differences to now, as far as the audit log knows
         * @description The log knows only fields that an audited call has set or changed.
         *
         *     It requires the right `audit`.
         */
        get: operations["getAuditedRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/active-inactive-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active and inactive accounts at the end of each slice, and how recently they were active
         * @description It requires the right `insights`.
         */
        get: operations["insightAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/daily-active-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Distinct users who were active on each day, in each week or month, and in the whole range
         * @description It requires the right `insights`.
         */
        get: operations["insightActiveUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/total-swap-requests-sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swap requests by the time they were sent
         * @description It requires the right `insights`.
         */
        get: operations["insightSwapRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/total-successful-swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Completed swaps, their ratio to the requests in the same time, and the share of those requests that were completed
         * @description It requires the right `insights`.
         */
        get: operations["insightSuccessfulSwaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/engagement-overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily, weekly and monthly users, new and lost users, the funnel, messages and pushes
         * @description It requires the right `insights`.
         */
        get: operations["insightEngagement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight/{metric}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows behind a point of an insight: its `drilldown` with the fields of the point filled in
         * @description It requires the right `insights`.
         */
        get: operations["listInsightRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/v1/insight-breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps, products or accounts of a time by city or category, beside the time before
         * @description A swap counts for the first of the products that are asked for, in the city and category that this product has now. At most 92 days.
         *
         *     It requires the right `insights`.
         */
        get: operations["getInsightBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description Anybody may call it.
         */
        get: operations["getApiDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @enum {boolean} */
            success: false;
            error: string;
            /** @enum {unknown} */
            code: "ACCOUNT_DELETED" | "ACCOUNT_SUSPENDED" | "BAD_REQUEST" | "CONFLICT" | "DUPLICATE" | "FORBIDDEN" | "HEADERS_TOO_LARGE" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_ERROR" | "INVALID_CODE" | "INVALID_CREDENTIALS" | "INVALID_JSON" | "INVALID_PASSKEY" | "INVALID_STATE" | "METHOD_NOT_ALLOWED" | "NOT_FOUND" | "PASSKEY_BEHIND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REQUEST_TIMEOUT" | "RIGHTS_ENDED" | "SECOND_FACTOR_REQUIRED" | "SECOND_FACTOR_STALE" | "SERVICE_UNAVAILABLE" | "SIGN_IN_EXPIRED" | "STALE_VERSION" | "TOKEN_EXPIRED" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR";
            errors?: {
                [key: string]: string[];
            };
            data?: unknown;
            request_id: string;
        };
        SignedInAccount: {
            id: number;
            user_id: number;
            username: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
            /** @enum {string} */
            status: "active" | "inactive" | "suspended" | "banned";
            permissions: ("panel" | "campaigns" | "users" | "products" | "products.write" | "verification" | "product-reports" | "user-reports" | "catalogue" | "groups" | "swaps" | "reports" | "insights" | "audit" | "approvals" | "users.contact")[];
            /** @description The service requires a second factor for this role, but the session has none. It has no rights until then. */
            lacks_second_factor: boolean;
        };
        Session: {
            token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** Format: date-time */
            expires_at: string;
            user: components["schemas"]["SignedInAccount"];
        };
        PasskeyRequestOptions: {
            challenge: string;
            rpId: string;
            /** @description Milliseconds. */
            timeout: number;
            /** @enum {string} */
            userVerification: "preferred";
            allowCredentials: {
                /** @enum {string} */
                type: "public-key";
                id: string;
                transports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
            }[];
        };
        Passkey: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        PasskeyCreationOptions: {
            challenge: string;
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            pubKeyCredParams: {
                /** @enum {string} */
                type: "public-key";
                alg: number;
            }[];
            /** @description Milliseconds. */
            timeout: number;
            /** @enum {string} */
            attestation: "none";
            excludeCredentials: {
                /** @enum {string} */
                type: "public-key";
                id: string;
                transports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
            }[];
            authenticatorSelection: {
                /** @enum {string} */
                residentKey: "preferred";
                /** @enum {string} */
                userVerification: "preferred";
            };
        };
        Device: {
            id: number;
            device_id: string;
            /** @enum {string} */
            platform: "ios" | "android" | "unknown";
            /** Format: date-time */
            last_seen_at: string;
        };
        Settings: {
            /** @enum {string} */
            notification: "0" | "1";
        };
        PushSettings: {
            /** @description The switch for all pushes that are not promotional. */
            notification: boolean;
            /** @description Which kinds of events send a push; `system` is for messages of the service itself. */
            events: {
                swap_match: boolean;
                new_message: boolean;
                swap_status: boolean;
                group_join_request: boolean;
                system: boolean;
            };
            /** @description Whether pushes about matches and messages say whom they come from. */
            sender_names: boolean;
            quiet_hours: {
                /** @description HH:MM in your time zone. */
                start: string;
                /** @description HH:MM in your time zone. */
                end: string;
                /** @description Kinds of events that ignore quiet hours. */
                except: ("new_message" | "swap_status")[];
            } | null;
            /** @description IANA name; change it with your profile. */
            time_zone: string;
        };
        OwnProfile: {
            id: number;
            username: string;
            email: string;
            name: string;
            city: string | null;
            avatar_url: string | null;
            /** @description The language of the pushes to you. */
            language: string;
            /** @description IANA name. */
            time_zone: string;
            version: number;
            /** Format: date-time */
            created_at: string;
            counts: {
                unread_notifications: number;
                unread_chat_lines: number;
                /** @description Open proposals, and accepted and disputed swaps, on either side. */
                open_swaps: number;
                products: number;
            };
        };
        Profile: {
            id: number;
            username: string;
            email: string;
            name: string;
            city: string | null;
            avatar_url: string | null;
            /** @description The language of the pushes to you. */
            language: string;
            /** @description IANA name. */
            time_zone: string;
            version: number;
            /** Format: date-time */
            created_at: string;
        };
        Person: {
            id: number;
            username: string;
            name: string;
            avatar_url: string | null;
            city: string | null;
        };
        BlockedPerson: {
            user: components["schemas"]["Person"];
            /** Format: date-time */
            created_at: string;
        };
        Block: {
            user_id: number;
            is_blocked: boolean;
        };
        OwnSubscription: {
            id: number;
            plan: {
                code: string;
                name: string;
                price_cents: number;
                currency: string;
                /** @enum {string} */
                period: "month" | "year";
            };
            /** @enum {string} */
            status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
            /** @enum {string} */
            provider: "app_store" | "play_store" | "stripe" | "manual";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            current_period_end: string;
            /** Format: date-time */
            cancelled_at: string | null;
        };
        GroupItem: {
            id: number;
            name: string;
            description: string | null;
            /**
             * @description Only members and invited people see a private group.
             * @enum {string}
             */
            visibility: "public" | "private";
            /** @enum {string} */
            join_policy: "open" | "request" | "invite";
            /** @enum {string} */
            status: "active" | "archived";
            member_count: number;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** @description Null: the account no longer exists, or has blocked you. */
            owner: components["schemas"]["Person"] | null;
            /** @description Your status in the group; null: you are not in it. */
            my: {
                /** @enum {string|null} */
                status: "invited" | "pending" | "approved" | "rejected" | "left" | "banned" | null;
                /** @enum {string|null} */
                role: "owner" | "admin" | "member" | null;
            };
            /** @description The person who asks to join; for the administrators of the group. */
            pending_count: number | null;
        };
        Group: {
            id: number;
            name: string;
            description: string | null;
            /**
             * @description Only members and invited people see a private group.
             * @enum {string}
             */
            visibility: "public" | "private";
            /** @enum {string} */
            join_policy: "open" | "request" | "invite";
            /** @enum {string} */
            status: "active" | "archived";
            member_count: number;
            version: number;
            /** Format: date-time */
            created_at: string;
        };
        GroupMember: {
            user: components["schemas"]["Person"];
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            joined_at: string | null;
        };
        GroupWithMembers: {
            id: number;
            name: string;
            description: string | null;
            /**
             * @description Only members and invited people see a private group.
             * @enum {string}
             */
            visibility: "public" | "private";
            /** @enum {string} */
            join_policy: "open" | "request" | "invite";
            /** @enum {string} */
            status: "active" | "archived";
            member_count: number;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** @description Null: the account no longer exists, or has blocked you. */
            owner: components["schemas"]["Person"] | null;
            /** @description Your status in the group; null: you are not in it. */
            my: {
                /** @enum {string|null} */
                status: "invited" | "pending" | "approved" | "rejected" | "left" | "banned" | null;
                /** @enum {string|null} */
                role: "owner" | "admin" | "member" | null;
            };
            /** @description The person who asks to join; for the administrators of the group. */
            pending_count: number | null;
            members: components["schemas"]["GroupMember"][];
        };
        JoinRequest: {
            user: components["schemas"]["Person"];
            /** Format: date-time */
            requested_at: string;
        };
        GroupStanding: {
            group_id: number;
            user_id: number;
            /** @enum {string} */
            status: "invited" | "pending" | "approved" | "rejected" | "left" | "banned";
        };
        InboxEntry: {
            id: number;
            notification_id: number;
            user_id: number;
            mobile_devices_id: number;
            notification_content: {
                title: string;
                body: string;
                data: {
                    [key: string]: unknown;
                } | null;
            };
            title: string;
            body: string;
            data: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            notification_type: "promotional" | "non_promotional";
            is_send: boolean;
            is_delivered: boolean | null;
            is_open: boolean;
            /** @enum {string} */
            state: "Created" | "Queued" | "Pending Receipt" | "Failed" | "Permanently Failed" | "Delivered" | "Delivery Failed" | "Expired" | "Shown" | "Dismissed" | "Opened" | "Completed";
            error_message: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Always null: deleted ones are not listed.
             */
            deleted_at: string | null;
        };
        InboxItem: {
            /** @description The id of the entry, the same on all devices. */
            message_id: number;
            /**
             * @description What it tells of; `promotion`: a campaign.
             * @enum {string}
             */
            kind: "swap_match" | "new_message" | "swap_status" | "group_join_request" | "system" | "promotion";
            title: string;
            text: string;
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Where a tap leads: the `link` of `data`. */
            link: string | null;
            seen: boolean;
            read: boolean;
            archived: boolean;
            /** Format: date-time */
            created_at: string;
        };
        SwapBundle: {
            count: number;
            title: string | null;
            /** @description Null: there is none, or the product is off the market. */
            image_url: string | null;
        };
        OwnSwap: {
            id: number;
            transaction_id: number;
            /** @enum {string} */
            status: "pending" | "countered" | "accepted" | "disputed" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "invalidated";
            /** @enum {string} */
            origin: "request" | "match";
            group_id: number | null;
            /**
             * @description Which side you are.
             * @enum {string}
             */
            side: "requester" | "owner";
            other: components["schemas"]["Person"] | null;
            /** @description The number of the requester’s products, and the first of them. */
            offered: components["schemas"]["SwapBundle"];
            /** @description What the owner gives. */
            requested: components["schemas"]["SwapBundle"];
            /**
             * @description The side whose answer the proposal waits for.
             * @enum {string}
             */
            turn: "requester" | "owner";
            /** @description The other side waits for your answer or confirmation. */
            is_my_turn: boolean;
            /** @description The moves that you may make now. */
            moves: ("counter" | "accept" | "decline" | "withdraw" | "confirm" | "cancel" | "dispute")[];
            can_message: boolean;
            confirmed: {
                me: boolean;
                other: boolean;
            };
            last_message: {
                id: number;
                sender_id: number;
                /** @description Its first 200 characters. */
                text: string;
                /** Format: date-time */
                created_at: string;
            } | null;
            unread_count: number;
            /**
             * Format: date-time
             * @description Of the last move or message.
             */
            active_at: string;
            round: number;
            /**
             * Format: date-time
             * @description Null when nothing waits for an answer.
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        ChatMessage: {
            id: number;
            transaction_id: number;
            sender_id: number;
            text: string;
            /** @description Whether the receiver has read it. */
            is_read: boolean;
            /** Format: date-time */
            created_at: string;
        };
        OwnSwapDetails: {
            id: number;
            transaction_id: number;
            /** @enum {string} */
            status: "pending" | "countered" | "accepted" | "disputed" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "invalidated";
            /** @enum {string} */
            origin: "request" | "match";
            group_id: number | null;
            /**
             * @description Which side you are.
             * @enum {string}
             */
            side: "requester" | "owner";
            other: components["schemas"]["Person"] | null;
            /** @description The number of the requester’s products, and the first of them. */
            offered: components["schemas"]["SwapBundle"];
            /** @description What the owner gives. */
            requested: components["schemas"]["SwapBundle"];
            /**
             * @description The side whose answer the proposal waits for.
             * @enum {string}
             */
            turn: "requester" | "owner";
            /** @description The other side waits for your answer or confirmation. */
            is_my_turn: boolean;
            /** @description The moves that you may make now. */
            moves: ("counter" | "accept" | "decline" | "withdraw" | "confirm" | "cancel" | "dispute")[];
            can_message: boolean;
            confirmed: {
                me: boolean;
                other: boolean;
            };
            last_message: {
                id: number;
                sender_id: number;
                /** @description Its first 200 characters. */
                text: string;
                /** Format: date-time */
                created_at: string;
            } | null;
            unread_count: number;
            /**
             * Format: date-time
             * @description Of the last move or message.
             */
            active_at: string;
            round: number;
            /**
             * Format: date-time
             * @description Null when nothing waits for an answer.
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            items: {
                product_id: number;
                /** @enum {string} */
                side: "offered" | "requested";
                title: string;
                /** @description Null: there is none, or the product is off the market. */
                image_url: string | null;
                /** @enum {string} */
                status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            }[];
            /** @description The last 50 rounds, newest first. */
            rounds: {
                round: number;
                /** @enum {string} */
                proposed_by: "requester" | "owner";
                offered: number[];
                requested: number[];
                note: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            dispute: {
                side: ("requester" | "owner") | null;
                reason: string | null;
                /** Format: date-time */
                opened_at: string;
                resolution: ("completed" | "cancelled" | "invalidated") | null;
                /** Format: date-time */
                resolved_at: string | null;
            } | null;
            messages: {
                data: components["schemas"]["ChatMessage"][];
                /** @description For older ones, at `GET /api/v1/swaps/{id}/messages`. */
                next_cursor: string | null;
            };
        };
        ReadMark: {
            transaction_id: number;
            /** @description The number of unread messages in this chat. */
            unread_count: number;
        };
        Badge: {
            /** @description The number of the icon: unread entries of the inbox and unread chat lines. */
            total: number;
            /** @description Unread entries of the inbox. */
            notifications: number;
            /** @description Unread lines of each swap, by its id. */
            chats: {
                [key: string]: number;
            };
        };
        StartedTest: {
            /** @description The message’s id, for reading its report. */
            notification_id: number;
            /** @enum {string} */
            status: "queued" | "sending" | "paused" | "stopped" | "completed";
            /** @description The number of users addressed; above 10,000 an estimate. */
            audience: number;
            /** @description Who gets no push, and why: 1 if the user is the one. */
            skipped: {
                no_device: number;
                /** @description They have a phone, and no session that may ring it. */
                signed_out: number;
                opted_out: number;
                inactive: number;
            };
        };
        StartedSend: {
            /** @description The message’s id, for reading its report. */
            notification_id: number;
            /** @enum {string} */
            status: "queued" | "sending" | "paused" | "stopped" | "completed";
            /** @description The number of users addressed; above 10,000 an estimate. */
            audience: number;
        };
        AskedForApproval: {
            approval: {
                id: number;
                /** @enum {string} */
                status: "waiting";
                /** Format: date-time */
                expires_at: string;
            };
        };
        SendPreview: {
            selected: number;
            skipped: {
                no_device: number;
                /** @description They have a phone, and no session that may ring it. */
                signed_out: number;
                opted_out: number;
                inactive: number;
            };
            users: number;
            devices: {
                ios: number;
                android: number;
                total: number;
            };
            payload_bytes: number;
            payload_limit: number;
            seconds_to_finish: number;
            /** @description A second administrator must approve the send. */
            needs_approval: boolean;
            /**
             * @description Above 100,000 users all numbers except `selected` and `inactive` are estimates from a sample.
             * @enum {boolean}
             */
            is_estimate?: true;
        };
        StartedSystemSend: {
            /** @description The message’s id, for reading its report. */
            notification_id: number;
            /** @enum {string} */
            status: "queued" | "sending" | "paused" | "stopped" | "completed";
            /** @description The number of users addressed; above 10,000 an estimate. */
            audience: number;
            /** @description Its messages, one for each language that has users and texts. */
            notification_ids: number[];
        };
        MessageContent: {
            title: string;
            body: string;
            data: {
                [key: string]: unknown;
            } | null;
        };
        Campaign: {
            id: number;
            /** @description The message’s id, the same as `id`. */
            notification_id: number;
            /** @enum {string} */
            notification_type: "promotional" | "non_promotional";
            notification_content: components["schemas"]["MessageContent"];
            /** @description The call that created it; automatic: the service itself; null: it is older than this field. */
            origin: ("bulk" | "named" | "test" | "group_join" | "automatic" | "system") | null;
            /** @enum {string} */
            audience: "all" | "sandbox" | "users";
            /** @enum {string} */
            status: "queued" | "sending" | "paused" | "stopped" | "completed";
            sender: {
                user_id: number;
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            title: string;
            body: string;
            data: {
                [key: string]: unknown;
            } | null;
            pause_reason: string | null;
            counts: {
                selected: number;
                skipped: {
                    no_device: number;
                    signed_out: number;
                    opted_out: number;
                    inactive: number;
                    deleted: number;
                    too_big: number;
                    stopped: number;
                    stale: number;
                    inbox_only: number;
                };
                /** @description Users who have a notification. */
                notified: number;
                /** @description Users about whom nothing is decided yet. Always selected = skipped + notified + waiting. */
                waiting: number;
                /** @description Copies, one for each device: delivered + failed + pending. */
                notifications: number;
                /** @description Copies that the provider accepted. */
                sent: number;
                /** @description Copies that the provider handed to Apple or Google. More is not known. */
                delivered: number;
                /** @description Copies. A tap on one phone opens all copies of the user. */
                opened: number;
                failed: number;
                pending: number;
                /** @description Copies sent again after an unknown outcome. */
                possible_duplicates: number;
            };
            progress: {
                percent: number;
                batches_left: number;
            };
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When its recipients were deleted with their month. The counts stay. Null: they are not deleted.
             */
            notifications_deleted_at: string | null;
        };
        Pagination: {
            current_page: number;
            total_pages: number;
            total_items: number;
            per_page: number;
            /** @enum {boolean} */
            total_is_estimate?: true;
        };
        ProgressLink: {
            /** @description For EventSource. It needs no token and ends with the session. */
            url: string;
            /**
             * Format: date-time
             * @description Until then it can be opened, also repeatedly.
             */
            expires_at: string;
        };
        NotificationCopy: {
            id: number;
            /** @description The copy’s id, the same as `id`. */
            notification_id: number;
            user_id: number;
            mobile_devices_id: number;
            device_id: string;
            /** @enum {string} */
            platform: "ios" | "android" | "unknown";
            is_send: boolean;
            is_delivered: boolean | null;
            is_open: boolean;
            /** @enum {string} */
            state: "Created" | "Queued" | "Pending Receipt" | "Failed" | "Permanently Failed" | "Delivered" | "Delivery Failed" | "Expired" | "Shown" | "Dismissed" | "Opened" | "Completed";
            /** @description The provider’s id of this push. */
            ticket_id: string | null;
            error_message: string | null;
            /** @description Requests with this notification that were sent, or may have been sent, to the provider. */
            attempts: number;
            possible_duplicates: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** Format: date-time */
            settled_at: string | null;
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            shown_at: string | null;
            /** Format: date-time */
            dismissed_at: string | null;
        };
        UserMessage: {
            id: number;
            /** @description The message’s id, the same as `id`. */
            notification_id: number;
            /** @enum {string} */
            notification_type: "promotional" | "non_promotional";
            notification_content: components["schemas"]["MessageContent"];
            /** @description The call that created it; automatic: the service itself; null: it is older than this field. */
            origin: ("bulk" | "named" | "test" | "group_join" | "automatic" | "system") | null;
            /** @enum {string} */
            audience: "all" | "sandbox" | "users";
            /** @enum {string} */
            status: "queued" | "sending" | "paused" | "stopped" | "completed";
            sender: {
                user_id: number;
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            outcome: "notified" | "skipped" | "waiting";
            /** @description Null unless skipped. */
            skip_reason: ("no_device" | "signed_out" | "opted_out" | "inactive" | "deleted" | "too_big" | "stopped" | "stale" | "inbox_only") | null;
            /** Format: date-time */
            skipped_at: string | null;
            /** @description One for each device that was chosen. */
            notifications: components["schemas"]["NotificationCopy"][];
        };
        MessagePerson: {
            user_id: number;
            name: string;
            email: string;
            /** @enum {string} */
            outcome: "notified" | "skipped" | "waiting";
            /** @description Null unless skipped. */
            skip_reason: ("no_device" | "signed_out" | "opted_out" | "inactive" | "deleted" | "too_big" | "stopped" | "stale" | "inbox_only") | null;
            /** Format: date-time */
            skipped_at: string | null;
            /** @description One for each device that was chosen. */
            notifications: components["schemas"]["NotificationCopy"][];
        };
        PushStatus: {
            /** @enum {string} */
            breaker: "closed" | "open" | "half_open" | "halted";
            code: string | null;
            /** Format: date-time */
            since: string | null;
            /** Format: date-time */
            retry_at: string | null;
            /** @description A halt by hand and its start (`since`). `by` is null for an operator’s command or a purged account. */
            halt: {
                by: {
                    user_id: number;
                    name: string;
                } | null;
                reason: string;
            } | null;
            /** @description Of each provider. */
            rate_per_second: number;
            /** @description All providers. The fields beside this list describe the first one. */
            providers: {
                provider: string;
                /** @enum {string} */
                delivery_known: "at once" | "by receipt";
                /** @enum {string} */
                breaker: "closed" | "open" | "half_open" | "halted";
                code: string | null;
                /** Format: date-time */
                since: string | null;
                /** Format: date-time */
                retry_at: string | null;
                /** @description A halt by hand and its start (`since`). `by` is null for an operator’s command or a purged account. */
                halt: {
                    by: {
                        user_id: number;
                        name: string;
                    } | null;
                    reason: string;
                } | null;
                /** @description Why pushes wait now; empty: they leave. */
                waits: {
                    /**
                     * @description Halted until somebody resumes; does not answer; asked for time; or refuses our credentials for a platform.
                     * @enum {string}
                     */
                    reason: "halted" | "away" | "busy" | "platform_paused";
                    /** @enum {string|null} */
                    platform: "ios" | "android" | "unknown" | null;
                    /** Format: date-time */
                    until: string | null;
                }[];
                /** @description The latest answers. Null: the database could not tell in half a second. */
                recent: {
                    /** Format: date-time */
                    last_success_at: string | null;
                    /** @description Of the last five minutes, up to 500. */
                    requests: number;
                    /** @description Of these requests: no push was accepted, for no fault of a phone. */
                    failures: number;
                    /** @description The last of these failures. */
                    last_failure: {
                        /** Format: date-time */
                        at: string;
                        code: string;
                    } | null;
                } | null;
                /** @description Copies that wait for this provider, most of them to be tried again, also of paused messages; counted in up to 20000 pieces of work. Null: the database could not count them in half a second. */
                waiting: {
                    copies: number;
                    /**
                     * Format: date-time
                     * @description When the first of them is due, which may be past.
                     */
                    next_at: string | null;
                } | null;
            }[];
            /** @description Due batches of messages that are neither paused nor finished. Null: the database could not count them in half a second. */
            lanes: {
                /** @enum {string} */
                lane: "transactional" | "campaign";
                /** @description Counted up to 20000. */
                due: number;
                /** @description How long the oldest of them has been due; 0: none is. */
                oldest_seconds: number;
            }[] | null;
            /** @description Requests to the providers whose receipts are due. Null: the database could not count them in half a second. */
            receipts: {
                /** @description Counted up to 20000. */
                due: number;
                /** @description How long the oldest of them has been due; 0: none is. */
                oldest_seconds: number;
            } | null;
            alerts: {
                alert_id: number;
                code: string;
                detail: string;
                /** Format: date-time */
                raised_at: string;
                /** Format: date-time */
                last_seen_at: string;
                times: number;
                /** @description The providers concerned; empty: none. */
                providers: string[];
                /** Format: date-time */
                resolved_at: string | null;
            }[];
        };
        CategoryName: {
            id: number;
            slug: string;
            name: string;
        };
        ProductCard: {
            id: number;
            title: string;
            /** @description The address of the first image. */
            image: string | null;
            category: components["schemas"]["CategoryName"];
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            city: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @description Moderators have verified what you see. */
            is_verified: boolean;
            owner: components["schemas"]["Person"];
            like_count: number;
            liked_by_me: boolean;
            /** Format: date-time */
            created_at: string;
        };
        OwnersView: {
            /** @enum {string} */
            verification: "pending" | "verified" | "rejected" | "changes_requested";
            /** @description Others can find it in lists. */
            is_listed: boolean;
            /** @description Increases with each edit of title, description, images or category. */
            revision: number;
            /** @description The verified revision, which others see while a later one waits; null: they see the latest revision. */
            seen_by_others: {
                revision: number;
                title: string;
                description: string;
                images: string[];
                category: components["schemas"]["CategoryName"];
            } | null;
            last_decision: {
                /** @enum {string} */
                action: "verify" | "reject" | "request_changes" | "remove" | "restore";
                reason_code: string | null;
                message: string | null;
                revision: number;
                /** Format: date-time */
                at: string;
            } | null;
            /** Format: date-time */
            submitted_at: string;
        };
        ProductPage: {
            id: number;
            title: string;
            description: string;
            images: string[];
            category: components["schemas"]["CategoryName"];
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            wants: string | null;
            city: string | null;
            estimated_value_cents: number | null;
            currency: string;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @description Moderators have verified what you see. */
            is_verified: boolean;
            owner: components["schemas"]["Person"];
            like_count: number;
            liked_by_me: boolean;
            /** @description Your open swaps with it, the newest twenty. */
            my_open_swaps: {
                transaction_id: number;
                /** @enum {string} */
                status: "pending" | "countered" | "accepted" | "disputed";
                is_my_turn: boolean;
                /** Format: date-time */
                updated_at: string;
            }[];
            /**
             * @description Why you cannot ask for this product in a swap now; null: you can.
             * @enum {string|null}
             */
            not_swappable_because: "own" | "requested_already" | "reserved" | "swapped" | "paused" | null;
            own: components["schemas"]["OwnersView"] | null;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CategoryCount: {
            id: number;
            parent_id: number | null;
            slug: string;
            name: string;
            /** @description Listed products of it and of those below it. */
            products: number;
        };
        OwnProductCard: {
            id: number;
            title: string;
            image: string | null;
            category: components["schemas"]["CategoryName"];
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            city: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @enum {string} */
            verification: "pending" | "verified" | "rejected" | "changes_requested";
            /** @description Others can find it in lists. */
            is_listed: boolean;
            /** @description Others see the verified revision while this one waits. */
            is_edit_waiting: boolean;
            like_count: number;
            /** @description The number of open proposals that ask for this product. */
            waiting_requests: number;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Like: {
            product_id: number;
            /** @enum {boolean} */
            is_liked: true;
            like_count: number;
            /** @description You and the owner now like a product of each other. */
            is_match: boolean;
        };
        Match: {
            user: components["schemas"]["Person"];
            /** Format: date-time */
            matched_at: string;
            /** @description Your products that the other person likes; up to ten. */
            my_products: components["schemas"]["ProductCard"][];
            /** @description The other person’s products that you like; up to ten. */
            their_products: components["schemas"]["ProductCard"][];
        };
        OwnReport: {
            id: number;
            /** @description The title is absent if the product can no longer be seen. */
            product: {
                id: number;
                title: string | null;
                image: string | null;
            };
            /** @enum {string} */
            reason: "prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other";
            details: string | null;
            /** @enum {string} */
            status: "open" | "in_review" | "actioned" | "dismissed";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        User: {
            id: number;
            user_id: number;
            username: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
            /** @enum {string} */
            status: "active" | "inactive" | "suspended" | "banned";
            is_test_user: boolean;
            city: string | null;
            avatar_url: string | null;
            email_verified: boolean;
            /** Format: date-time */
            last_active_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            version: number;
            counts: {
                products: number;
                transactions: number;
                /** @description Undecided reports about products of this user. */
                open_reports: number;
                devices: number;
            };
        };
        UserProfile: {
            id: number;
            user_id: number;
            username: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
            /** @enum {string} */
            status: "active" | "inactive" | "suspended" | "banned";
            is_test_user: boolean;
            city: string | null;
            avatar_url: string | null;
            email_verified: boolean;
            /** Format: date-time */
            last_active_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            version: number;
            counts: {
                products: number;
                transactions: number;
                /** @description Undecided reports about products of this user. */
                open_reports: number;
                devices: number;
            };
            phone: string | null;
            status_reason: string | null;
            /** Format: date-time */
            suspended_until: string | null;
            /** Format: date-time */
            restorable_until: string | null;
            sessions: {
                id: string;
                device: string | null;
                /** @description From which it was opened: an IPv4 /24 or an IPv6 /48. */
                network: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_seen_at: string;
                /** Format: date-time */
                expires_at: string;
            }[];
            /** @description Sign-ins since midnight (UTC) that failed or were refused; null where limits are off. */
            failed_sign_ins: number | null;
            devices: {
                id: number;
                /** @enum {string} */
                platform: "ios" | "android" | "unknown";
                /** Format: date-time */
                last_seen_at: string;
            }[];
            subscription: {
                id: number;
                plan: string;
                /** @enum {string} */
                status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
                /** @enum {string} */
                provider: "app_store" | "play_store" | "stripe" | "manual";
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                current_period_end: string;
                /** Format: date-time */
                cancelled_at: string | null;
            } | null;
            history: {
                from_state: ("active" | "inactive" | "suspended" | "banned" | "deleted") | null;
                /** @enum {string} */
                to_state: "active" | "inactive" | "suspended" | "banned" | "deleted";
                /** @enum {string} */
                actor: "user" | "administrator" | "system";
                actor_id: number | null;
                note: string | null;
                /** Format: date-time */
                at: string;
            }[];
        };
        Account: {
            id: number;
            user_id: number;
            username: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
            /** @enum {string} */
            status: "active" | "inactive" | "suspended" | "banned";
            phone: string | null;
            city: string | null;
            avatar_url: string | null;
            email_verified: boolean;
            /** @description Your new address, which waits for your confirmation. */
            pending_email: string | null;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UserDetails: {
            id: number;
            user_id: number;
            username: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
            /** @enum {string} */
            status: "active" | "inactive" | "suspended" | "banned";
            is_test_user: boolean;
            city: string | null;
            avatar_url: string | null;
            email_verified: boolean;
            /** Format: date-time */
            last_active_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            version: number;
            counts: {
                products: number;
                transactions: number;
                /** @description Undecided reports about products of this user. */
                open_reports: number;
                devices: number;
            };
            phone: string | null;
            status_reason: string | null;
            /** Format: date-time */
            suspended_until: string | null;
            /** Format: date-time */
            restorable_until: string | null;
        };
        DeletedUser: {
            id: number;
            /** Format: date-time */
            deleted_at: string;
            /** Format: date-time */
            restorable_until: string;
        };
        Product: {
            id: number;
            title: string;
            description: string;
            category: {
                id: number;
                slug: string;
                name: string;
            };
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            images: string[];
            estimated_value_cents: number | null;
            currency: string;
            wants: string | null;
            city: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @enum {string} */
            verification: "pending" | "verified" | "rejected" | "changes_requested";
            owner: {
                id: number;
                username: string;
                name: string;
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
            };
            /** @description Reports that are not decided. */
            open_reports: number;
            /** @description Increases with each edit of the content that moderators check. */
            revision: number;
            version: number;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            verified_at: string | null;
            verified_by: number | null;
            /** Format: date-time */
            hidden_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        OpenProductReport: {
            id: number;
            reporter: {
                user_id: number;
                username: string;
            } | null;
            /** @enum {string} */
            reason: "prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other";
            details: string | null;
            /** @enum {string} */
            status: "open" | "in_review";
            assigned_to: {
                user_id: number;
                name: string;
            } | null;
            version: number;
            /** Format: date-time */
            created_at: string;
        };
        Decision: {
            /** @enum {string} */
            action: "verify" | "reject" | "request_changes" | "remove" | "restore";
            reason_code: string | null;
            /** @description The text that the owner received. */
            message: string | null;
            /** @description For administrators only. */
            note: string | null;
            by: {
                user_id: number;
                name: string;
            } | null;
            revision: number;
            /** Format: date-time */
            at: string;
        };
        StateChange: {
            from: ("draft" | "active" | "reserved" | "swapped" | "paused" | "removed" | "deleted" | "pending" | "verified" | "rejected" | "changes_requested") | null;
            /** @enum {string} */
            to: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed" | "deleted" | "pending" | "verified" | "rejected" | "changes_requested";
            /** @enum {string} */
            actor: "user" | "administrator" | "system";
            actor_id: number | null;
            note: string | null;
            /** Format: date-time */
            at: string;
        };
        ProductDetails: {
            id: number;
            title: string;
            description: string;
            category: {
                id: number;
                slug: string;
                name: string;
            };
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            images: string[];
            estimated_value_cents: number | null;
            currency: string;
            wants: string | null;
            city: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @enum {string} */
            verification: "pending" | "verified" | "rejected" | "changes_requested";
            owner: {
                id: number;
                username: string;
                name: string;
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
            };
            /** @description Reports that are not decided. */
            open_reports: number;
            /** @description Increases with each edit of the content that moderators check. */
            revision: number;
            version: number;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            verified_at: string | null;
            verified_by: number | null;
            /** Format: date-time */
            hidden_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            swaps: {
                total: number;
                open: number;
            };
            /** @description The newest fifty undecided reports. */
            reports: components["schemas"]["OpenProductReport"][];
            /** @description The last fifty decisions, newest first. */
            moderation: components["schemas"]["Decision"][];
            history: {
                status: components["schemas"]["StateChange"][];
                verification: components["schemas"]["StateChange"][];
            };
        };
        WaitingProduct: {
            id: number;
            title: string;
            description: string;
            category: {
                id: number;
                slug: string;
                name: string;
            };
            /** @enum {string} */
            condition: "new" | "like_new" | "good" | "fair";
            images: string[];
            estimated_value_cents: number | null;
            currency: string;
            wants: string | null;
            city: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            /** @enum {string} */
            verification: "pending" | "verified" | "rejected" | "changes_requested";
            owner: {
                id: number;
                username: string;
                name: string;
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
            };
            /** @description Reports that are not decided. */
            open_reports: number;
            /** @description Increases with each edit of the content that moderators check. */
            revision: number;
            version: number;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            verified_at: string | null;
            verified_by: number | null;
            /** Format: date-time */
            hidden_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            waiting_seconds: number;
            previous_decision: components["schemas"]["Decision"] | null;
            /** @description The fields that differ from the last verified revision. */
            changed_fields: ("title" | "description" | "category_id" | "images")[];
            /** @description The last verified revision. */
            last_verified: {
                [key: string]: unknown;
            } | null;
        };
        DeskDecision: {
            id: number;
            /** @enum {string} */
            kind: "verification" | "reported_product" | "report" | "user_report" | "dispute";
            /** @description Of the product, report or swap. */
            record_id: number;
            verdict: string;
            /** @enum {string} */
            status: "waiting" | "done" | "undone" | "failed";
            /** @description Why a decision that failed changed nothing. */
            error: string | null;
            /** Format: date-time */
            decided_at: string;
            /** Format: date-time */
            due_at: string;
        };
        Lease: {
            product_id: number;
            holder: {
                id: number;
                name: string;
            };
            /** Format: date-time */
            until: string;
        };
        ReportedProduct: {
            product_id: number;
            product: {
                id: number;
                title: string;
                /** @enum {string} */
                status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
                /** @enum {string} */
                verification: "pending" | "verified" | "rejected" | "changes_requested";
                /** Format: date-time */
                deleted_at: string | null;
                owner: {
                    id: number;
                    username: string;
                };
            };
            /**
             * @description The status of the report that is least advanced.
             * @enum {string}
             */
            status: "open" | "in_review" | "actioned" | "dismissed";
            /** @description Reports that are not in review yet. */
            open_count: number;
            in_review_count: number;
            actioned_count: number;
            dismissed_count: number;
            /** @description Open and in review. */
            undecided_count: number;
            /** @description Open, in review, actioned and dismissed. */
            total_count: number;
            reasons: {
                [key: string]: number;
            };
            /** Format: date-time */
            first_reported_at: string;
            /** Format: date-time */
            last_reported_at: string;
            /** @description From the three newest reports. */
            reporters_sample: {
                user_id: number;
                username: string;
            }[];
        };
        ProductReport: {
            id: number;
            product_id: number;
            reporter: {
                user_id: number;
                username: string;
            } | null;
            /** @enum {string} */
            reason: "prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other";
            details: string | null;
            /** @enum {string} */
            status: "open" | "in_review" | "actioned" | "dismissed";
            assigned_to: {
                user_id: number;
                name: string;
            } | null;
            /** @description The action taken. */
            resolution: ("rejected" | "removed" | "deleted" | "warned" | "other") | null;
            resolution_note: string | null;
            resolved_by: number | null;
            /** Format: date-time */
            resolved_at: string | null;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UserReport: {
            id: number;
            user: {
                id: number;
                username: string;
                name: string;
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
                /** @description Reports about this person that are not decided. */
                undecided_count: number;
            };
            reporter: {
                user_id: number;
                username: string;
            } | null;
            /** @enum {string} */
            reason: "scam" | "no_show" | "harassment" | "hate" | "impersonation" | "spam" | "underage" | "other";
            details: string | null;
            /** @enum {string} */
            status: "open" | "in_review" | "actioned" | "dismissed";
            assigned_to: {
                user_id: number;
                name: string;
            } | null;
            /** @description The action taken. */
            resolution: ("warned" | "suspended" | "other") | null;
            resolution_note: string | null;
            resolved_by: number | null;
            /** Format: date-time */
            resolved_at: string | null;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CategoryInUse: {
            id: number;
            parent_id: number | null;
            slug: string;
            name: string;
            version: number;
            /** @description Whether it contains products or other categories, so that it cannot be deleted. */
            is_used: boolean;
        };
        Category: {
            id: number;
            parent_id: number | null;
            slug: string;
            name: string;
            version: number;
        };
        Plan: {
            id: number;
            code: string;
            name: string;
            price_cents: number;
            currency: string;
            /** @enum {string} */
            period: "month" | "year";
            version: number;
            /** @description Whether people have subscribed, so that price, currency and period can no longer change. */
            is_used: boolean;
        };
        GroupRecord: {
            id: number;
            name: string;
            description: string | null;
            /** @enum {string} */
            visibility: "public" | "private";
            /** @enum {string} */
            join_policy: "open" | "request" | "invite";
            /** @enum {string} */
            status: "active" | "archived";
            owner: {
                id: number;
                username: string;
                name: string;
            } | null;
            member_count: number;
            pending_count: number;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GroupRecordMember: {
            user_id: number;
            username: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** @enum {string} */
            status: "invited" | "pending" | "approved" | "rejected" | "left" | "banned";
            /** Format: date-time */
            requested_at: string;
            /** Format: date-time */
            decided_at: string | null;
        };
        UserReference: {
            id: number;
            username: string;
            name: string;
        };
        Swap: {
            id: number;
            transaction_id: number;
            /** @enum {string} */
            status: "pending" | "countered" | "accepted" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "disputed" | "invalidated";
            /** @enum {string} */
            origin: "request" | "match";
            /** @enum {string} */
            turn: "requester" | "owner";
            group_id: number | null;
            requester: components["schemas"]["UserReference"] | null;
            owner: components["schemas"]["UserReference"] | null;
            items: {
                product_id: number;
                title: string;
                /** @enum {string} */
                side: "offered" | "requested";
            }[];
            rounds: number;
            close_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            responded_at: string | null;
            /** Format: date-time */
            accepted_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        SwapSummary: {
            by_status: {
                pending: number;
                countered: number;
                accepted: number;
                completed: number;
                declined: number;
                withdrawn: number;
                expired: number;
                cancelled: number;
                disputed: number;
                invalidated: number;
            };
            total: number;
            /** @description Completed swaps divided by all swaps, from 0 to 1; null when there are none. */
            completion_rate: number | null;
            /** @description From the request to its first answer, rounded down to a quarter of an hour or more; null if there are none. */
            median_hours_to_response: number | null;
            /** @description From the request to its completion, rounded down to a quarter of an hour or more; null if there are none. */
            median_hours_to_complete: number | null;
        };
        ReportOnUser: {
            user: {
                id: number;
                user_id: number;
                username: string;
                /** @description Null for those who cannot see the list of users. */
                email: string | null;
                name: string;
                /** @enum {string} */
                role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                deleted_at: string | null;
            };
            totals: {
                /** @description Products listed in the range and not deleted. */
                products: number;
                verified_products: number;
                requests_sent: number;
                requests_received: number;
                /** @description Of these requests. */
                completed: number;
                completion_rate: number | null;
                reports_filed: number;
                /** @description About their products. */
                reports_against: number;
                groups: number;
            };
            subscription: {
                id: number;
                plan: string;
                /** @enum {string} */
                status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
                /** @enum {string} */
                provider: "app_store" | "play_store" | "stripe" | "manual";
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                current_period_end: string;
                /** Format: date-time */
                ended_at: string | null;
            } | null;
            activity: {
                /** Format: date-time */
                last_active_at: string | null;
                /** @description For the last 30 days including today, independent of the range. */
                active_days_30: number;
                /** @description Of the days of the series. */
                active_days: number;
                /** @description The days of the range (UTC days with the same dates), from the account’s first day to today, at most ten years; without a range the last 30 days. 1: active. */
                series: {
                    /** Format: date */
                    date: string;
                    value: number;
                }[];
            };
            /** @description The newest ten, independent of the range. */
            recent_transactions: components["schemas"]["Swap"][];
            /** @description The newest ten, independent of the range. */
            recent_reports: {
                id: number;
                product_id: number;
                /** @enum {string} */
                direction: "filed" | "against";
                /** @enum {string} */
                reason: "prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other";
                /** @enum {string} */
                status: "open" | "in_review" | "actioned" | "dismissed";
                /** Format: date-time */
                created_at: string;
            }[];
        };
        Subscription: {
            id: number;
            user: components["schemas"]["UserReference"] | null;
            plan: {
                code: string;
                name: string;
                price_cents: number;
                currency: string;
                /** @enum {string} */
                period: "month" | "year";
            };
            /** @enum {string} */
            status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
            /** @enum {string} */
            provider: "app_store" | "play_store" | "stripe" | "manual";
            external_id: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            current_period_end: string;
            /** Format: date-time */
            cancelled_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            version: number;
        };
        SubscriptionSummary: {
            trialing: number;
            active: number;
            past_due: number;
            cancelled: number;
            expired: number;
            /** @description Those of them that started in the range. */
            started_in_period: number;
            /** @description Those of them that ended in the range. */
            ended_in_period: number;
            /**
             * @description Of mrr_by_currency.
             * @enum {string}
             */
            mrr_unit: "cents";
            /** @description Monthly recurring revenue in cents, of active and past due subscriptions. Yearly plans count with a twelfth. */
            mrr_by_currency: {
                [key: string]: number;
            };
        };
        SwapDetails: {
            swap: components["schemas"]["Swap"];
            /** @description The last 50 rounds, newest first. */
            rounds: {
                round: number;
                /** @enum {string} */
                proposed_by: "requester" | "owner";
                offered: number[];
                requested: number[];
                note: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            dispute: {
                side: ("requester" | "owner") | null;
                reason: string | null;
                /** Format: date-time */
                opened_at: string;
                resolution: ("completed" | "cancelled" | "invalidated") | null;
                note: string | null;
                resolved_by: number | null;
                /** Format: date-time */
                resolved_at: string | null;
            } | null;
            /** @description The last 50 changes of its state, newest first. */
            history: {
                from_state: ("pending" | "countered" | "accepted" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "disputed" | "invalidated") | null;
                /** @enum {string} */
                to_state: "pending" | "countered" | "accepted" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "disputed" | "invalidated";
                /** @enum {string} */
                actor: "user" | "administrator" | "system";
                actor_id: number | null;
                note: string | null;
                /** Format: date-time */
                at: string;
            }[];
            /** @description Null unless requested. */
            messages: {
                /** @description Newest first. */
                data: {
                    id: number;
                    sender_id: number;
                    text: string;
                    is_read: boolean;
                    /** Format: date-time */
                    created_at: string;
                }[];
                /** @description The `cursor` of the next page; null: there is none. */
                next_cursor: string | null;
            } | null;
        };
        OpenDispute: {
            swap: components["schemas"]["Swap"];
            side: ("requester" | "owner") | null;
            reason: string | null;
            /** Format: date-time */
            opened_at: string;
            waiting_seconds: number;
        };
        UsersExport: {
            id: number;
            /** @enum {string} */
            format: "csv" | "xlsx" | "json" | "ndjson";
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed";
            /** @description The number of rows in the snapshot, counted before the first row is written. */
            rows: number | null;
            /** @description Rows written so far. */
            bytes: number;
            /** @description Whether the file masks e-mail addresses and phone numbers; null before it is made. */
            masked: boolean | null;
            sha256: string | null;
            /** @description `CANCELLED` if somebody cancelled it, `STALLED` if it made no progress, `INTERNAL_ERROR` for all else. */
            error: ("CANCELLED" | "STALLED" | "INTERNAL_ERROR") | null;
            requested_by: number;
            /** Format: date-time */
            requested_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            expires_at: string;
            download: {
                url: string;
                /** Format: date-time */
                expires_at: string;
            } | null;
        };
        BulkChange: {
            id: number;
            /** @enum {string} */
            action: "suspend" | "activate" | "delete" | "restore" | "undo";
            reason: string | null;
            /** @enum {string} */
            status: "prepared" | "running" | "done";
            selected: number;
            /** @description The number of accounts without a result. */
            waiting: number;
            changed: number;
            /** @description How many accounts are not changed, by reason: OWN_ACCOUNT, NO_RIGHT, DELETED, UNCHANGED (they have this state already), CHANGED_SINCE (changed after they were selected), SUSPENSION_OVER, STALLED (the change was ended because it made no progress), or the code of an error. */
            skipped: {
                [key: string]: number;
            };
            /** @description The change that this one undoes. */
            undoes: number | null;
            requested_by: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** @description A second administrator must approve it. */
            needs_approval: boolean;
            /** @description The request by which it waits for a second administrator. */
            approval_id: number | null;
        };
        BulkChangeItem: {
            user: {
                id: number;
                name: string;
                username: string;
            };
            from: {
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
                deleted: boolean;
            };
            to: {
                /** @enum {string} */
                status: "active" | "inactive" | "suspended" | "banned";
                deleted: boolean;
            };
            /** @enum {string} */
            outcome: "waiting" | "changed" | "skipped";
            code: string | null;
        };
        AuditEntry: {
            id: number;
            /** Format: date-time */
            at: string;
            actor: {
                user_id: number;
                name: string | null;
                role: string | null;
            } | null;
            action: string;
            entity: string | null;
            entity_id: number | null;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            ip: string | null;
            user_agent: string | null;
            request_id: string | null;
            /** @description The number of calls that the entry stands for; more than 1 if equal calls were counted together. */
            times: number;
            /** @description Hash of the entry and the hash of the entry before it. */
            hash: string;
        };
        InsightRange: {
            /** Format: date */
            start_date: string;
            /**
             * Format: date
             * @description Included.
             */
            end_date: string;
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            timezone: string;
            /** @enum {string} */
            interval: "hour" | "day" | "week" | "month";
        };
        InsightChange: {
            change: number | null;
            /** @description Null where there was nothing before. */
            change_percent: number | null;
        };
        InsightRow: {
            /** @enum {string} */
            entity: "user" | "swap" | "product" | "message";
            id: number;
            /** Format: date-time */
            at: string | null;
            /**
             * Format: date
             * @description A UTC day.
             */
            day: string | null;
        };
    };
    responses: {
        /** @description Too many requests; `Retry-After` says when to try again. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is not available now; `Retry-After` says when to try again. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is malformed. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state of the record does not allow this, or an identical request is still running. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KB. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Some fields are not valid; `errors` names each of them. */
        UnprocessableContent: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no valid session, or the login failed. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account does not have the right to do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record does not exist, or this caller may not see it. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record has another version; `data` contains the present one. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the service’s log. If you send an `X-Request-Id`, it is used. */
        RequestId: string;
        /** @description The version of the record, for `If-Match`. */
        ETag: string;
        /** @description The limits that counted this call: `q` calls in `w` seconds (IETF draft, RateLimit header fields). */
        RateLimitPolicy: string;
        /** @description What remains of these limits: `r` calls in the next `t` seconds. */
        RateLimit: string;
        /** @description Seconds to wait before the next try. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "healthy";
                        timestamp: string;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            status: "ready";
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    /** @description A BCP 47 tag. Of its language pushes and mails are in en, es, fr, de, ja; any other is taken as en. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Session"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Session"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Only for the second step; it is valid for nothing else. */
                            pending_token: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** @description What the account can show: a passkey (in the panel only), a code of the app, or a recovery code. */
                            factors: ("passkey" | "app" | "recovery")[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: {
                device_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInAsAdmin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Session"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Only for the second step; it is valid for nothing else. */
                            pending_token: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** @description What the account can show: a passkey (in the panel only), a code of the app, or a recovery code. */
                            factors: ("passkey" | "app" | "recovery")[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signOutAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: date-time */
                            expires_at: string;
                            user: components["schemas"]["SignedInAccount"];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInWithSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pending_token: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Session"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openPanelSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: date-time */
                            expires_at: string;
                            user: components["schemas"]["SignedInAccount"];
                        };
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Only for the second step; it is valid for nothing else. */
                            pending_token: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** @description What the account can show: a passkey (in the panel only), a code of the app, or a recovery code. */
                            factors: ("passkey" | "app" | "recovery")[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    closePanelSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInToPanelWithSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pending_token: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: date-time */
                            expires_at: string;
                            user: components["schemas"]["SignedInAccount"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    askForPasskeyAtSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pending_token: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyRequestOptions"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInToPanelWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    pending_token: string;
                    passkey: {
                        /** @description `id` of the credential. */
                        id: string;
                        /** @description `response.clientDataJSON` in base64url. */
                        client_data: string;
                        /** @description `response.authenticatorData` in base64url. */
                        authenticator_data: string;
                        /** @description `response.signature` in base64url. */
                        signature: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: date-time */
                            expires_at: string;
                            user: components["schemas"]["SignedInAccount"];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWaiting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            kind: "verification" | "product_reports" | "user_reports" | "disputes" | "approvals" | "halts" | "alerts";
                            /** @description The total of the list on which this is decided. */
                            count: number;
                            /** Format: date-time */
                            oldest_at: string | null;
                        }[];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description ASCII; international domains as xn--.
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    /** @description At least 12 characters for an administrator. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendAddressConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOwnSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: string;
                            /** @description Such as `Firefox on Linux`; null if it is not known. */
                            device: string | null;
                            /** @description The network from which it was opened: an IPv4 /24 or an IPv6 /48. */
                            network: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description Noted at most once an hour.
                             */
                            last_seen_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** @description The session of this call. */
                            is_current: boolean;
                        }[];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Whether codes of an app are set up; passkeys are in another list. */
                            enabled: boolean;
                            /** @description The service requires it for roles that may use the panel. */
                            required: boolean;
                            /** Format: date-time */
                            confirmed_at: string | null;
                            recovery_codes_left: number;
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Required to change your own password or address. */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Base32, for typing into an app. */
                            secret: string;
                            /** @description otpauth://…, for a QR code. */
                            uri: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            recovery_codes: string[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            recovery_codes: string[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    showSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Whether passkeys work at this address of the panel. */
                            is_available: boolean;
                            passkeys: components["schemas"]["Passkey"][];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description So that you recognise the device. One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    credential: {
                        /** @description `id` of the credential. */
                        id: string;
                        /** @description `response.clientDataJSON` in base64url. */
                        client_data: string;
                        /** @description `response.attestationObject` in base64url. */
                        attestation: string;
                        transports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
                    };
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            passkey: components["schemas"]["Passkey"];
                            /** @description Ten, shown only here, if this is the first second factor of the account; otherwise none. */
                            recovery_codes: string[];
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description So that you recognise the device. One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Passkey"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Required to change your own password or address. */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyCreationOptions"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    askForPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PasskeyRequestOptions"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    showPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    passkey: {
                        /** @description `id` of the credential. */
                        id: string;
                        /** @description `response.clientDataJSON` in base64url. */
                        client_data: string;
                        /** @description `response.authenticatorData` in base64url. */
                        authenticator_data: string;
                        /** @description `response.signature` in base64url. */
                        signature: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerPhone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The provider’s address of the phone, such as `ExponentPushToken[…]`. */
                    token: string;
                    /** @description The app’s own id of the phone. */
                    device_id?: string;
                    /** @enum {string} */
                    platform?: "ios" | "android";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            device_id: string;
                            /** @enum {string} */
                            platform: "ios" | "android" | "unknown";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releasePhone: {
        parameters: {
            query: {
                /** @description The app’s own id of the phone. */
                device_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            released: boolean;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyDevices: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Device"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseMyDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {boolean} */
                            released: true;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Settings"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setMySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    notification: "0" | "1";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Settings"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyPushSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PushSettings"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMyPushSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    notification?: boolean;
                    events?: {
                        swap_match?: boolean;
                        new_message?: boolean;
                        swap_status?: boolean;
                        group_join_request?: boolean;
                        system?: boolean;
                    };
                    sender_names?: boolean;
                    /** @description Pushes wait until the quiet hours end. An end before the start means the next day. Null: no quiet hours. */
                    quiet_hours?: {
                        /** @description HH:MM in your time zone. */
                        start: string;
                        /** @description HH:MM in your time zone. */
                        end: string;
                        /** @description Kinds of events that ignore quiet hours. */
                        except?: ("new_message" | "swap_status")[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PushSettings"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnProfile"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMyProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    username?: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    /** Format: uri */
                    avatar_url?: string | null;
                    /** @description A BCP 47 tag. Of its language pushes and mails are in en, es, fr, de, ja; any other is taken as en. */
                    language?: string;
                    /** @description IANA name. */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyBlocks: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BlockedPerson"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Block"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Block"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason: "scam" | "no_show" | "harassment" | "hate" | "impersonation" | "spam" | "underage" | "other";
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    details?: string;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            user_id: number;
                            /** @enum {string} */
                            status: "open";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMySubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSubscription"] | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveSubscriptionEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                provider: "app_store" | "play_store" | "stripe" | "manual";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The same again when an event is sent again. */
                    event_id: string;
                    /** Format: date-time */
                    occurred_at: string;
                    subscription: {
                        /** @description The store’s name for it. */
                        external_id: string;
                        user_id?: number;
                        /** @description The code of a plan. */
                        plan?: string;
                        /** @enum {string} */
                        status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
                        /** Format: date-time */
                        current_period_end: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            subscription_id: number;
                            /** @enum {string} */
                            status: "trialing" | "active" | "past_due" | "cancelled" | "expired";
                            /** Format: date-time */
                            current_period_end: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Finds all words of this text in name and description, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                /** @description Groups that you are in, are invited to, or have asked to join; absent: all public groups. */
                mine?: "approved" | "invited" | "pending";
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupItem"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    description?: string | null;
                    /**
                     * @description Only members and invited people see a private group.
                     * @enum {string}
                     */
                    visibility?: "public" | "private";
                    /** @enum {string} */
                    join_policy?: "open" | "request" | "invite";
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Group"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGroup: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupWithMembers"];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    description?: string | null;
                    /**
                     * @description Only members and invited people see a private group.
                     * @enum {string}
                     */
                    visibility?: "public" | "private";
                    /** @enum {string} */
                    join_policy?: "open" | "request" | "invite";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Group"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listJoinRequests: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["JoinRequest"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveMyGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Group"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    joinGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    leaveGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteToGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveJoinRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectJoinRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    banGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupStanding"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setGroupMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            group_id: number;
                            user_id: number;
                            /** @enum {string} */
                            role: "admin" | "member";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUnreadNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["InboxEntry"][];
                        unread_count: number;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markNotificationRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            notification_id: number;
                            /** @enum {boolean} */
                            is_open: true;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordNotificationEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    event: "shown" | "dismissed";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            notification_id: number;
                            /** @enum {string} */
                            event: "shown" | "dismissed";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** @description Default `all` but archived ones. */
                state?: "all" | "unread" | "archived";
                kind?: "swap_match" | "new_message" | "swap_status" | "group_join_request" | "system" | "promotion";
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["InboxItem"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readInbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `message_id` of an entry: it and all that came before. */
                    up_to?: number;
                    /** @description A record, such as `swap:7`. Opening a swap or its chat does the same. */
                    subject?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Unread entries that are left. */
                            unread: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    seeInbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: Record<string, never>;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readInboxEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                message_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            message_id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveInboxEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                message_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            message_id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMySwaps: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                /** @description `waiting_for_me`: swaps that wait for your answer or confirmation. */
                state?: "open" | "waiting_for_me" | "done";
                /** @description True: only those with messages that you have not read. False is as if absent. */
                unread?: boolean;
                /** @description Only those whose `active_at` is not before this moment. */
                updated_since?: string;
                /** @description `activity`: the last move or message first, as a list of conversations. Default: `created`. */
                sort_by?: "created" | "activity";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    proposeSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The products of the requester. */
                    offered: number[];
                    /** @description The products of the owner. */
                    requested: number[];
                    /** @description To the other side. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    note?: string;
                    group_id?: number;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMySwap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwapDetails"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    counterSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The products of the requester. */
                    offered: number[];
                    /** @description The products of the owner. */
                    requested: number[];
                    /** @description To the other side. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    declineSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    withdrawSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disputeSwap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The other side and administrators can read it. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnSwap"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSwapMessages: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                /** @description The id of the last known message, for reading newer ones. */
                after?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ChatMessage"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendSwapMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At least one visible character; no control characters except tabs, which become spaces, and line breaks. Marks that change the direction of writing are taken out. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ChatMessage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markSwapMessagesRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message_id: number;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ReadMark"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBadge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Badge"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamBadge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event. What came since is sent, and the present badge only if it differs. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `badge` events with `total`, `notifications` and `chats` (unread messages of each swap), and the version as `id`; before them an `entry` event, as in the inbox, for each entry that came since. At the end an `end` event with a `reason`. A comment line every 20 seconds keeps the connection open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendTest: {
        parameters: {
            query: {
                user_id: number;
                /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                title: string;
                /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                text: string;
                /** @description The screen that a tap opens; default the list of notifications. */
                link?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedTest"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: number;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description The screen that a tap opens; default the list of notifications. */
                    link?: string;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedTest"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    askToJoinGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    admin_user_id: number;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description A deep link with a scheme of the app; no spaces, control characters or backslashes. */
                    link: string;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedSend"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendToAll: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /** @description To inboxes alone: no phone rings. Its people count as skipped, `inbox_only`. */
                    inbox_only?: boolean;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedSend"] | components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendToSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /** @description To inboxes alone: no phone rings. Its people count as skipped, `inbox_only`. */
                    inbox_only?: boolean;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedSend"] | components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewSendToAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SendPreview"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendToUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_ids: number[];
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                    promotional?: boolean;
                    /** @description To inboxes alone: no phone rings. Its people count as skipped, `inbox_only`. */
                    inbox_only?: boolean;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedSend"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    askToSendToUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_ids: number[];
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                    promotional?: boolean;
                    /** @description To inboxes alone: no phone rings. Its people count as skipped, `inbox_only`. */
                    inbox_only?: boolean;
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendSystemNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_ids?: number[];
                    /**
                     * @description Send to everyone, instead of `user_ids`.
                     * @enum {boolean}
                     */
                    all?: true;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    text: string;
                    /** @description Texts for users of a language; all others get `title` and `text`. Only with `user_ids`. */
                    texts?: {
                        en?: {
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            title: string;
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            text: string;
                        };
                        es?: {
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            title: string;
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            text: string;
                        };
                        fr?: {
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            title: string;
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            text: string;
                        };
                        de?: {
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            title: string;
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            text: string;
                        };
                        ja?: {
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            title: string;
                            /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                            text: string;
                        };
                    };
                    /** @description Free-form; `link` is a deep link. */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StartedSystemSend"] | components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                search?: string;
                sort_order?: "asc" | "desc";
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                status?: ("queued" | "sending" | "paused" | "stopped" | "completed")[];
                audience?: "all" | "sandbox" | "users";
                sort_by?: "created_at" | "started_at" | "completed_at" | "title";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                search?: string;
                sort_order?: "asc" | "desc";
                name?: string;
                email?: string;
                status?: "sent" | "delivered" | "opened" | "failed";
                device_id?: string;
                platform?: "ios" | "android" | "unknown";
            };
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @description The copy’s id, the same as `id`. */
                            notification_id: number;
                            user_id: number;
                            mobile_devices_id: number;
                            device_id: string;
                            /** @enum {string} */
                            platform: "ios" | "android" | "unknown";
                            is_send: boolean;
                            is_delivered: boolean | null;
                            is_open: boolean;
                            /** @enum {string} */
                            state: "Created" | "Queued" | "Pending Receipt" | "Failed" | "Permanently Failed" | "Delivered" | "Delivery Failed" | "Expired" | "Shown" | "Dismissed" | "Opened" | "Completed";
                            /** @description The provider’s id of this push. */
                            ticket_id: string | null;
                            error_message: string | null;
                            /** @description Requests with this notification that were sent, or may have been sent, to the provider. */
                            attempts: number;
                            possible_duplicates: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** Format: date-time */
                            deleted_at: string | null;
                            /** Format: date-time */
                            sent_at: string | null;
                            /** Format: date-time */
                            settled_at: string | null;
                            /** Format: date-time */
                            opened_at: string | null;
                            /** Format: date-time */
                            shown_at: string | null;
                            /** Format: date-time */
                            dismissed_at: string | null;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            notification_type: "promotional" | "non_promotional";
                            notification_content: components["schemas"]["MessageContent"];
                        }[];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        summary: components["schemas"]["Campaign"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNotificationRecipients: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                search?: string;
                sort_order?: "asc" | "desc";
                name?: string;
                email?: string;
                status?: "sent" | "delivered" | "opened" | "failed";
                device_id?: string;
                platform?: "ios" | "android" | "unknown";
            };
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @description The copy’s id, the same as `id`. */
                            notification_id: number;
                            user_id: number;
                            mobile_devices_id: number;
                            device_id: string;
                            /** @enum {string} */
                            platform: "ios" | "android" | "unknown";
                            is_send: boolean;
                            is_delivered: boolean | null;
                            is_open: boolean;
                            /** @enum {string} */
                            state: "Created" | "Queued" | "Pending Receipt" | "Failed" | "Permanently Failed" | "Delivered" | "Delivery Failed" | "Expired" | "Shown" | "Dismissed" | "Opened" | "Completed";
                            /** @description The provider’s id of this push. */
                            ticket_id: string | null;
                            error_message: string | null;
                            /** @description Requests with this notification that were sent, or may have been sent, to the provider. */
                            attempts: number;
                            possible_duplicates: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** Format: date-time */
                            deleted_at: string | null;
                            /** Format: date-time */
                            sent_at: string | null;
                            /** Format: date-time */
                            settled_at: string | null;
                            /** Format: date-time */
                            opened_at: string | null;
                            /** Format: date-time */
                            shown_at: string | null;
                            /** Format: date-time */
                            dismissed_at: string | null;
                            name: string;
                            email: string;
                            /** @enum {string} */
                            notification_type: "promotional" | "non_promotional";
                            notification_content: components["schemas"]["MessageContent"];
                        }[];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        summary: components["schemas"]["Campaign"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pauseNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Campaign"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamCampaignProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A `progress` event with the report whenever it changes; at the end an `end` event with a `reason`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCampaignProgressLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProgressLink"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamNotificationProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A `progress` event with the report whenever it changes; at the end an `end` event with a `reason`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createNotificationProgressLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProgressLink"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamProgressByLink: {
        parameters: {
            query: {
                link: string;
            };
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A `progress` event with the report whenever it changes; at the end an `end` event with a `reason`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserNotifications: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                search?: string;
                sort_order?: "asc" | "desc";
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                notification_type?: "promotional" | "non_promotional";
                outcome?: "notified" | "skipped" | "waiting";
            };
            header?: never;
            path: {
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserMessage"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * Format: date-time
                         * @description Messages from before this time may be missing, because their recipients are deleted month by month. Null: none is missing.
                         */
                        notifications_kept_from: string | null;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNotificationPeople: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, or the person with this id, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                /** @description Of at least one copy, or `skipped`: of the person. */
                status?: "sent" | "delivered" | "opened" | "failed" | "skipped";
                /** @description Skipped for this reason. */
                skip_reason?: "no_device" | "signed_out" | "opted_out" | "inactive" | "deleted" | "too_big" | "stopped" | "stale" | "inbox_only";
                platform?: "ios" | "android" | "unknown";
            };
            header?: never;
            path: {
                notification_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MessagePerson"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        summary: components["schemas"]["Campaign"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    fetchReceipts: {
        parameters: {
            query?: {
                /** @description The maximum number of receipts to ask for, up to 10,000; default 1,000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            limit: number;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startFetchingReceipts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The maximum number of receipts to ask for, up to 10,000; default 1,000. */
                    limit?: number;
                } | null;
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            limit: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPushStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PushStatus"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    haltSending: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The reason; all administrators who may see the state of sending can read it. One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    reason: string;
                    /**
                     * @description Absent: all.
                     * @enum {string}
                     */
                    provider?: "expo";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PushStatus"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeSending: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider?: "expo";
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PushStatus"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countRemovedDevices: {
        parameters: {
            query?: {
                /** @description Removed: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Removed: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description A UTC day, `YYYY-MM-DD`. */
                            day: string;
                            provider: string;
                            /** @enum {string} */
                            reason: "DeviceNotRegistered" | "MismatchSenderId" | "released" | "moved" | "replaced";
                            devices: number;
                        }[];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRemovedDevices: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                /** @description Removed: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Removed: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                reason?: "DeviceNotRegistered" | "MismatchSenderId" | "released" | "moved" | "replaced";
                provider?: "expo";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            user_id: number;
                            name: string;
                            /** @enum {string} */
                            platform: "ios" | "android" | "unknown";
                            provider: string;
                            /** @enum {string} */
                            reason: "DeviceNotRegistered" | "MismatchSenderId" | "released" | "moved" | "replaced";
                            /** Format: date-time */
                            last_registered_at: string;
                            /** Format: date-time */
                            removed_at: string;
                        }[];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreRemovedDevices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                    start_date: string;
                    /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                    end_date: string;
                    /** @description IANA name; default UTC. */
                    timezone?: string;
                    /**
                     * @description Absent: all.
                     * @enum {string}
                     */
                    provider?: "expo";
                    /** @description Only count; default false. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Devices that this call restored, up to 10,000; 0 with `dry_run`. */
                            restored: number;
                            /** @description Devices that the next call would restore. Repeat the call until this is 0. */
                            restorable: number;
                            /** @description Devices whose token or phone has been registered again since; they stay removed. */
                            left: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    browseProducts: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                /** @description Up to eight words. The title or the description must contain each of them; upper and lower case are equal. A word of three letters or more also matches the beginning of a longer word. */
                search?: string;
                /** @description Slug or id of a category; its subcategories are included. */
                category?: string;
                /** @description The city; upper and lower case are equal. */
                city?: string;
                condition?: "new" | "like_new" | "good" | "fair";
                /** @description Default `newest`. */
                sort?: "newest" | "most_liked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductCard"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    title: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    description: string;
                    category_id: number;
                    /** @enum {string} */
                    condition: "new" | "like_new" | "good" | "fair";
                    /** @description URLs; lists show the first one. */
                    images?: string[];
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    wants?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    estimated_value_cents?: number | null;
                    /** @description List it at once; by default it is a draft. */
                    submit?: boolean;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    viewProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    title?: string;
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    description?: string;
                    category_id?: number;
                    /** @enum {string} */
                    condition?: "new" | "like_new" | "good" | "fair";
                    /** @description URLs; lists show the first one. */
                    images?: string[];
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    wants?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    estimated_value_cents?: number | null;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    browseCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CategoryCount"][];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    viewPerson: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            username: string;
                            name: string;
                            avatar_url: string | null;
                            city: string | null;
                            /** Format: date-time */
                            member_since: string;
                            completed_swaps: number;
                            /** @description The number of listed products. */
                            product_count: number;
                            products: components["schemas"]["ProductCard"][];
                            /** @description The `cursor` of the next page; null: there is none. */
                            next_cursor: string | null;
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyProducts: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
                status?: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnProductCard"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pauseMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeMyProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductPage"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    likeProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Like"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unlikeProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            product_id: number;
                            /** @enum {boolean} */
                            is_liked: false;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyLikes: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            title: string;
                            /** @description The address of the first image. */
                            image: string | null;
                            category: components["schemas"]["CategoryName"];
                            /** @enum {string} */
                            condition: "new" | "like_new" | "good" | "fair";
                            city: string | null;
                            /** @enum {string} */
                            status: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
                            /** @description Moderators have verified what you see. */
                            is_verified: boolean;
                            owner: components["schemas"]["Person"];
                            like_count: number;
                            liked_by_me: boolean;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            liked_at: string;
                        }[];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyMatches: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Match"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason: "prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other";
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    details?: string | null;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            product_id: number;
                            /** @enum {string} */
                            status: "open" | "in_review" | "actioned" | "dismissed";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyReports: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnReport"][];
                        /** @description The `cursor` of the next page; null: there is none. */
                        next_cursor: string | null;
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Accounts made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Accounts made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                status?: ("active" | "inactive" | "suspended" | "banned")[];
                role?: ("user" | "analyst" | "moderator" | "admin" | "super_admin")[];
                email_verified?: boolean;
                is_test_user?: boolean;
                deleted?: "exclude" | "only" | "include";
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_from?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_to?: string;
                /** @description Default `id`. */
                sort_by?: "id" | "username" | "email" | "name" | "role" | "status" | "last_active_at" | "created_at" | "updated_at" | "deleted_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["User"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserProfile"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreOwnAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user_id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMyAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Account"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMyAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description ASCII; international domains as xn--.
                     */
                    email?: string;
                    username?: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    phone?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    /** Format: uri */
                    avatar_url?: string | null;
                    /** @description At least 12 characters for an administrator. */
                    password?: string;
                    /** @description Required to change your own password or address. */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Account"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOwnAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Required to change your own password or address. */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user_id: number;
                            /** Format: date-time */
                            restorable_until: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportOwnData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Required to change your own password or address. */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description A JSON object as an attachment, with `made_at` and a list for each kind of data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description ASCII; international domains as xn--.
                     */
                    email: string;
                    username?: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    /** @description At least 12 characters for an administrator. */
                    password: string;
                    phone?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    /** Format: uri */
                    avatar_url?: string | null;
                    /** @enum {string} */
                    role?: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                    /** @enum {string} */
                    status?: "active" | "inactive" | "suspended" | "banned";
                    is_test_user?: boolean;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserDetails"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                    /**
                     * Format: email
                     * @description ASCII; international domains as xn--.
                     */
                    email?: string;
                    username?: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    /** @description At least 12 characters for an administrator. */
                    password?: string;
                    /** @description Required to change your own password or address. */
                    current_password?: string;
                    phone?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    /** Format: uri */
                    avatar_url?: string | null;
                    /** @enum {string} */
                    role?: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                    /** @enum {string} */
                    status?: "active" | "inactive" | "suspended" | "banned";
                    is_test_user?: boolean;
                    status_reason?: string | null;
                    /** Format: date-time */
                    suspended_until?: string | null;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeletedUser"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            role: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                            permissions: ("panel" | "campaigns" | "users" | "products" | "products.write" | "verification" | "product-reports" | "user-reports" | "catalogue" | "groups" | "swaps" | "reports" | "insights" | "audit" | "approvals" | "users.contact")[];
                            /** @description Whether you may give this role to an account with a lower role. */
                            may_give: boolean;
                        }[];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listServiceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            name: string;
                            /** @description What the setting is for. */
                            doc: string;
                            /** @description Null for a setting that may contain a secret. */
                            value: string | null;
                            /** @description The default value. */
                            fallback: string;
                            /** @description Whether the value differs from the default. */
                            is_changed: boolean;
                        }[];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Products listed: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Products listed: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Default `id`. */
                sort_by?: "id" | "title" | "status" | "verification" | "created_at" | "updated_at" | "submitted_at" | "estimated_value_cents";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds all words of this text in title and description, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("draft" | "active" | "reserved" | "swapped" | "paused" | "removed")[];
                verification?: ("pending" | "verified" | "rejected" | "changes_requested")[];
                condition?: ("new" | "like_new" | "good" | "fair")[];
                user_id?: number;
                /** @description Slug or id of a category; its subcategories are included. */
                category?: string;
                has_open_reports?: boolean;
                deleted?: "exclude" | "only" | "include";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Product"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: {
                deleted?: "exclude" | "include";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductDetails"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    title?: string;
                    description?: string;
                    category_id?: number;
                    /** @enum {string} */
                    condition?: "new" | "like_new" | "good" | "fair";
                    /** @enum {string} */
                    status?: "draft" | "active" | "reserved" | "swapped" | "paused" | "removed";
                    wants?: string | null;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    city?: string | null;
                    estimated_value_cents?: number | null;
                    images?: string[];
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductDetails"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: {
                reason?: string;
            };
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** Format: date-time */
                            deleted_at: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductsToVerify: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Products submitted: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Products submitted: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Default `submitted_at`. */
                sort_by?: "submitted_at" | "created_at" | "title" | "estimated_value_cents";
                /** @description Default `asc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds all words of this text in title and description, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                condition?: ("new" | "like_new" | "good" | "fair")[];
                user_id?: number;
                /** @description Slug or id of a category; its subcategories are included. */
                category?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WaitingProduct"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyProduct: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For administrators only. */
                    note?: string;
                    /** @description The revision that the moderator saw. */
                    revision?: number;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectProduct: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason_code: "prohibited_item" | "counterfeit" | "misleading" | "unclear_photos" | "incomplete_description" | "wrong_category" | "offensive" | "duplicate" | "unsafe" | "other";
                    /** @description To the owner. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    message: string;
                    /** @description For administrators only. */
                    note?: string;
                    /** @description The revision that the moderator saw. */
                    revision?: number;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestProductChanges: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reason_code: "prohibited_item" | "counterfeit" | "misleading" | "unclear_photos" | "incomplete_description" | "wrong_category" | "offensive" | "duplicate" | "unsafe" | "other";
                    /** @description To the owner. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    message: string;
                    /** @description For administrators only. */
                    note?: string;
                    /** @description The revision that the moderator saw. */
                    revision?: number;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listVerificationLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Lease"][];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    takeVerificationLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Lease"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endVerificationLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            product_id: number;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReportLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Lease"][];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    takeReportLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Lease"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endReportLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            product_id: number;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOwnDecisions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"][];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undoDecision: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReportedProducts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Products with a report made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Products with a report made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description `csv`: all rows, without pages. */
                format?: "json" | "csv";
                /** @description Begin the CSV with a byte order mark. */
                bom?: boolean;
                /** @description Default `open_count`. */
                sort_by?: "open_count" | "undecided_count" | "total_count" | "first_reported_at" | "last_reported_at";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds this text in title or description of the product; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("open" | "in_review" | "actioned" | "dismissed")[];
                reason?: ("prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ReportedProduct"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReportsOfProduct: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Reports made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Reports made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Default `created_at`. */
                sort_by?: "created_at";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds this text in details or username of the reporter; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("open" | "in_review" | "actioned" | "dismissed")[];
                reason?: ("prohibited_item" | "scam" | "misleading" | "offensive" | "counterfeit" | "duplicate" | "unsafe" | "other")[];
            };
            header?: never;
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductReport"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignProductReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    assignee_id?: number;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductReport"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveProductReport: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "remove_product" | "warn_owner" | "other";
                    note?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductReport"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    dismissProductReport: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    note?: string;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ProductReport"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    decideReportedProduct: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                product_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "remove_product" | "warn_owner" | "dismiss";
                    note?: string;
                    /** @description To the owner; absent: a standard text. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            product_id: number;
                            /** @description Reports that were decided. */
                            decided: number;
                        };
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserReports: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Reports made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Reports made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Default `created_at`. */
                sort_by?: "created_at";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                status?: ("open" | "in_review" | "actioned" | "dismissed")[];
                reason?: ("scam" | "no_show" | "harassment" | "hate" | "impersonation" | "spam" | "underage" | "other")[];
                user_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserReport"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignUserReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    assignee_id?: number;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserReport"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveUserReport: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "suspend_user" | "other" | "dismiss";
                    /** @description At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UserReport"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endUserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user_id: number;
                            session_id: string;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user_id: number;
                        };
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendSupportMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    kind: "new_password" | "confirm_address";
                };
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user_id: number;
                            /** @enum {string} */
                            kind: "new_password" | "confirm_address";
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CategoryInUse"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    slug: string;
                    parent_id?: number | null;
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Category"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Category"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    parent_id?: number | null;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Category"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Plan"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name: string;
                    price_cents: number;
                    currency: string;
                    /** @enum {string} */
                    period: "month" | "year";
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Plan"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you read, a list of ETags, or `*`. If the record has another version, the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line with at least one visible character; no control characters, and none that change the direction of writing. */
                    name?: string;
                    price_cents?: number;
                    currency?: string;
                    /** @enum {string} */
                    period?: "month" | "year";
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Plan"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllGroups: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Default `created_at`. */
                sort_by?: "created_at";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds all words of this text in name and description, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("active" | "archived")[];
                visibility?: ("public" | "private")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupRecord"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupRecordMember"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        group: components["schemas"]["GroupRecord"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            status: "archived";
                            version: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportSwaps: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Swaps by their `date_field`: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Swaps by their `date_field`: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description `csv`: all rows, without pages. */
                format?: "json" | "csv";
                /** @description Begin the CSV with a byte order mark. */
                bom?: boolean;
                /** @description Default `created_at`. */
                sort_by?: "created_at" | "accepted_at" | "completed_at" | "transaction_id";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description The time field that the range applies to; default created_at. */
                date_field?: "created_at" | "accepted_at" | "completed_at";
                /** @description Finds all words of this text in username, email, name and digits of the phone number of either side, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("pending" | "countered" | "accepted" | "completed" | "declined" | "withdrawn" | "expired" | "cancelled" | "disputed" | "invalidated")[];
                origin?: "request" | "match";
                user_id?: number;
                product_id?: number;
                group_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Swap"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        summary: components["schemas"]["SwapSummary"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportOneUser: {
        parameters: {
            query?: {
                /** @description Totals and days of activity: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Totals and days of activity: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ReportOnUser"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportSubscriptions: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Subscriptions that ran (up to now): from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Subscriptions that ran (up to now): to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description `csv`: all rows, without pages. */
                format?: "json" | "csv";
                /** @description Begin the CSV with a byte order mark. */
                bom?: boolean;
                /** @description Default `started_at`. */
                sort_by?: "started_at" | "current_period_end" | "id";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("trialing" | "active" | "past_due" | "cancelled" | "expired")[];
                /** @description The code of a plan. */
                plan?: string;
                provider?: "app_store" | "play_store" | "stripe" | "manual";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Subscription"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        summary: components["schemas"]["SubscriptionSummary"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSwap: {
        parameters: {
            query?: {
                /** @description Include the messages; this requires a `reason`. */
                include?: "messages";
                /** @description Why you read these messages; the reason is stored in the audit log. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                reason?: string;
                /** @description The `next_cursor` of the previous page; absent: the first page. */
                cursor?: string;
                /** @description How many; default 20, at most 100. */
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SwapDetails"];
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readSwapMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why you read these messages; the reason is stored in the audit log. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    reason: string;
                    /** @description The `next_cursor` of the previous page; absent: the first page. */
                    cursor?: string;
                    /** @description How many; default 20, at most 100. */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SwapDetails"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OpenDispute"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveDispute: {
        parameters: {
            query?: {
                /** @description Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision. */
                undoable?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    resolution: "completed" | "cancelled";
                    /** @description For administrators only. At least one visible character; no control characters except line breaks, and none that change the direction of writing. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SwapDetails"];
                        message: string;
                    };
                };
            };
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeskDecision"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /** @description Accounts made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Accounts made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("active" | "inactive" | "suspended" | "banned")[];
                role?: ("user" | "analyst" | "moderator" | "admin" | "super_admin")[];
                email_verified?: boolean;
                is_test_user?: boolean;
                deleted?: "exclude" | "only" | "include";
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_from?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_to?: string;
                format?: "csv" | "xlsx" | "json" | "ndjson";
                /** @description The columns of the file, in this order; each once. */
                columns?: ("id" | "username" | "email" | "name" | "role" | "status" | "is_test_user" | "email_verified" | "phone" | "city" | "last_active_at" | "created_at" | "updated_at" | "deleted_at")[];
                /** @description Begin a CSV with a byte order mark, for spreadsheets that need it. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as an attachment. `X-Total-Rows` is the number of users in it. A CSV has `true` and `false`, and times in ISO 8601 (UTC); a workbook has booleans and dates in UTC. E-mail addresses and phone numbers are masked, unless the role has the right `users.contact`. If they are masked, `X-Contact-Masked` is `true`, and the name of the file says so. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/json": unknown;
                    "application/x-ndjson": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startUsersExport: {
        parameters: {
            query?: {
                /** @description Accounts made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Accounts made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                status?: ("active" | "inactive" | "suspended" | "banned")[];
                role?: ("user" | "analyst" | "moderator" | "admin" | "super_admin")[];
                email_verified?: boolean;
                is_test_user?: boolean;
                deleted?: "exclude" | "only" | "include";
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_from?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                last_active_to?: string;
                format?: "csv" | "xlsx" | "json" | "ndjson";
                /** @description The columns of the file, in this order; each once. */
                columns?: ("id" | "username" | "email" | "name" | "role" | "status" | "is_test_user" | "email_verified" | "phone" | "city" | "last_active_at" | "created_at" | "updated_at" | "deleted_at")[];
                /** @description Begin a CSV with a byte order mark, for spreadsheets that need it. */
                bom?: boolean;
            };
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Accounts made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                    start_date?: string;
                    /** @description Accounts made: to the end of this date, or before this instant. */
                    end_date?: string;
                    /** @description IANA name; default UTC. */
                    timezone?: string;
                    /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                    search?: string;
                    status?: ("active" | "inactive" | "suspended" | "banned")[];
                    role?: ("user" | "analyst" | "moderator" | "admin" | "super_admin")[];
                    email_verified?: boolean;
                    is_test_user?: boolean;
                    /** @enum {string} */
                    deleted?: "exclude" | "only" | "include";
                    /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                    last_active_from?: string;
                    /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                    last_active_to?: string;
                    /** @enum {string} */
                    format?: "csv" | "xlsx" | "json" | "ndjson";
                    /** @description In this order. */
                    columns?: ("id" | "username" | "email" | "name" | "role" | "status" | "is_test_user" | "email_verified" | "phone" | "city" | "last_active_at" | "created_at" | "updated_at" | "deleted_at")[];
                    /** @description Begin a CSV with a byte order mark, for spreadsheets that need it. */
                    bom?: boolean;
                } | null;
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsersExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["UsersExport"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadUsersExport: {
        parameters: {
            query: {
                link: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as an attachment. `X-Total-Rows` is the number of users in it. A CSV has `true` and `false`, and times in ISO 8601 (UTC); a workbook has booleans and dates in UTC. E-mail addresses and phone numbers are masked, unless the role has the right `users.contact`. If they are masked, `X-Contact-Masked` is `true`, and the name of the file says so. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/json": unknown;
                    "application/x-ndjson": unknown;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsersExports: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            format: "csv" | "xlsx" | "json" | "ndjson";
                            /** @enum {string} */
                            status: "queued" | "running" | "done" | "failed";
                            /** @description The number of rows in the snapshot, counted before the first row is written. */
                            rows: number | null;
                            /** @description Rows written so far. */
                            bytes: number;
                            /** @description Whether the file masks e-mail addresses and phone numbers; null before it is made. */
                            masked: boolean | null;
                            sha256: string | null;
                            /** @description `CANCELLED` if somebody cancelled it, `STALLED` if it made no progress, `INTERNAL_ERROR` for all else. */
                            error: ("CANCELLED" | "STALLED" | "INTERNAL_ERROR") | null;
                            requested_by: number;
                            /** Format: date-time */
                            requested_at: string;
                            /** Format: date-time */
                            started_at: string | null;
                            /** Format: date-time */
                            finished_at: string | null;
                            /** Format: date-time */
                            expires_at: string;
                            requester_name: string;
                        }[];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelUsersExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            format: "csv" | "xlsx" | "json" | "ndjson";
                            /** @enum {string} */
                            status: "queued" | "running" | "done" | "failed";
                            /** @description The number of rows in the snapshot, counted before the first row is written. */
                            rows: number | null;
                            /** @description Rows written so far. */
                            bytes: number;
                            /** @description Whether the file masks e-mail addresses and phone numbers; null before it is made. */
                            masked: boolean | null;
                            sha256: string | null;
                            /** @description `CANCELLED` if somebody cancelled it, `STALLED` if it made no progress, `INTERNAL_ERROR` for all else. */
                            error: ("CANCELLED" | "STALLED" | "INTERNAL_ERROR") | null;
                            requested_by: number;
                            /** Format: date-time */
                            requested_at: string;
                            /** Format: date-time */
                            started_at: string | null;
                            /** Format: date-time */
                            finished_at: string | null;
                            /** Format: date-time */
                            expires_at: string;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    prepareBulkChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "suspend" | "activate" | "delete" | "restore";
                    /** @description Stored with each suspended account. */
                    reason?: string;
                    ids?: number[];
                    /** @description All accounts that the list of users returns for these filters. */
                    filter?: {
                        /** @description Accounts made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                        start_date?: string;
                        /** @description Accounts made: to the end of this date, or before this instant. */
                        end_date?: string;
                        /** @description IANA name; default UTC. */
                        timezone?: string;
                        /** @description Finds all words of this text in username, email, name and digits of the phone number, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                        search?: string;
                        status?: ("active" | "inactive" | "suspended" | "banned")[];
                        role?: ("user" | "analyst" | "moderator" | "admin" | "super_admin")[];
                        email_verified?: boolean;
                        is_test_user?: boolean;
                        /** @enum {string} */
                        deleted?: "exclude" | "only" | "include";
                        /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                        last_active_from?: string;
                        /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                        last_active_to?: string;
                    };
                };
            };
        };
        responses: {
            /** @description It was created; `data` contains it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkChange"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startBulkChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkChange"] | components["schemas"]["AskedForApproval"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undoBulkChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description It was accepted and stored. The work continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkChange"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBulkChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkChange"];
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBulkChangeUsers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                outcome?: "waiting" | "changed" | "skipped";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkChangeItem"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                status?: "waiting" | "approved" | "refused" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            kind: "send" | "bulk" | "role";
                            /** @enum {string} */
                            status: "waiting" | "approved" | "refused" | "expired";
                            /** @description The hash of the request. Send it to approve exactly this. */
                            pin: string;
                            send: {
                                title: string;
                                text: string;
                                data: {
                                    [key: string]: unknown;
                                } | null;
                                system: boolean;
                                /** @description To inboxes alone: no phone rings. */
                                inbox_only: boolean;
                                /** @description The number of users whom it reaches at the time of the request, as its preview says. */
                                recipients: number;
                                /** @description The words of a system notification in each language, in place of `title` and `text`. */
                                texts: {
                                    en?: {
                                        title: string;
                                        text: string;
                                    };
                                    es?: {
                                        title: string;
                                        text: string;
                                    };
                                    fr?: {
                                        title: string;
                                        text: string;
                                    };
                                    de?: {
                                        title: string;
                                        text: string;
                                    };
                                    ja?: {
                                        title: string;
                                        text: string;
                                    };
                                } | null;
                                /** @description The first 500 of the named users; null: everyone. */
                                user_ids: number[] | null;
                                /** @description The first 20 named users; the name is null if the account is gone. Null: everyone. `/users` lists all. */
                                users: {
                                    id: number;
                                    name: string | null;
                                }[] | null;
                            } | null;
                            bulk: {
                                id: number;
                                /** @enum {string} */
                                action: "suspend" | "activate" | "delete" | "restore" | "undo";
                                reason: string | null;
                                accounts: number;
                            } | null;
                            role: {
                                user_id: number;
                                name: string | null;
                                /** @enum {string} */
                                from: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                                /** @enum {string} */
                                to: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                            } | null;
                            account: {
                                user_id: number;
                                name: string | null;
                                /** @description The new values; null: the deleted account is restored. */
                                fields: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether it gets a new password too. */
                                password: boolean;
                            } | null;
                            asked_by: {
                                id: number;
                                name: string;
                            } | null;
                            decided_by: {
                                id: number;
                                name: string;
                            } | null;
                            /** @description Why it was refused. */
                            reason: string | null;
                            result: {
                                notification_id?: number;
                                bulk_id?: number;
                                user_id?: number;
                            } | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** Format: date-time */
                            decided_at: string | null;
                        }[];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApprovalUsers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            name: string | null;
                        }[];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `pin` of the approval that you saw. */
                    pin: string;
                };
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            kind: "send" | "bulk" | "role";
                            /** @enum {string} */
                            status: "waiting" | "approved" | "refused" | "expired";
                            /** @description The hash of the request. Send it to approve exactly this. */
                            pin: string;
                            send: {
                                title: string;
                                text: string;
                                data: {
                                    [key: string]: unknown;
                                } | null;
                                system: boolean;
                                /** @description To inboxes alone: no phone rings. */
                                inbox_only: boolean;
                                /** @description The number of users whom it reaches at the time of the request, as its preview says. */
                                recipients: number;
                                /** @description The words of a system notification in each language, in place of `title` and `text`. */
                                texts: {
                                    en?: {
                                        title: string;
                                        text: string;
                                    };
                                    es?: {
                                        title: string;
                                        text: string;
                                    };
                                    fr?: {
                                        title: string;
                                        text: string;
                                    };
                                    de?: {
                                        title: string;
                                        text: string;
                                    };
                                    ja?: {
                                        title: string;
                                        text: string;
                                    };
                                } | null;
                                /** @description The first 500 of the named users; null: everyone. */
                                user_ids: number[] | null;
                                /** @description The first 20 named users; the name is null if the account is gone. Null: everyone. `/users` lists all. */
                                users: {
                                    id: number;
                                    name: string | null;
                                }[] | null;
                            } | null;
                            bulk: {
                                id: number;
                                /** @enum {string} */
                                action: "suspend" | "activate" | "delete" | "restore" | "undo";
                                reason: string | null;
                                accounts: number;
                            } | null;
                            role: {
                                user_id: number;
                                name: string | null;
                                /** @enum {string} */
                                from: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                                /** @enum {string} */
                                to: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                            } | null;
                            account: {
                                user_id: number;
                                name: string | null;
                                /** @description The new values; null: the deleted account is restored. */
                                fields: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether it gets a new password too. */
                                password: boolean;
                            } | null;
                            asked_by: {
                                id: number;
                                name: string;
                            } | null;
                            decided_by: {
                                id: number;
                                name: string;
                            } | null;
                            /** @description Why it was refused. */
                            reason: string | null;
                            result: {
                                notification_id?: number;
                                bulk_id?: number;
                                user_id?: number;
                            } | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** Format: date-time */
                            decided_at: string | null;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refuseApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call safe to repeat: for 24 h the same key and input get the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: number;
                            /** @enum {string} */
                            kind: "send" | "bulk" | "role";
                            /** @enum {string} */
                            status: "waiting" | "approved" | "refused" | "expired";
                            /** @description The hash of the request. Send it to approve exactly this. */
                            pin: string;
                            send: {
                                title: string;
                                text: string;
                                data: {
                                    [key: string]: unknown;
                                } | null;
                                system: boolean;
                                /** @description To inboxes alone: no phone rings. */
                                inbox_only: boolean;
                                /** @description The number of users whom it reaches at the time of the request, as its preview says. */
                                recipients: number;
                                /** @description The words of a system notification in each language, in place of `title` and `text`. */
                                texts: {
                                    en?: {
                                        title: string;
                                        text: string;
                                    };
                                    es?: {
                                        title: string;
                                        text: string;
                                    };
                                    fr?: {
                                        title: string;
                                        text: string;
                                    };
                                    de?: {
                                        title: string;
                                        text: string;
                                    };
                                    ja?: {
                                        title: string;
                                        text: string;
                                    };
                                } | null;
                                /** @description The first 500 of the named users; null: everyone. */
                                user_ids: number[] | null;
                                /** @description The first 20 named users; the name is null if the account is gone. Null: everyone. `/users` lists all. */
                                users: {
                                    id: number;
                                    name: string | null;
                                }[] | null;
                            } | null;
                            bulk: {
                                id: number;
                                /** @enum {string} */
                                action: "suspend" | "activate" | "delete" | "restore" | "undo";
                                reason: string | null;
                                accounts: number;
                            } | null;
                            role: {
                                user_id: number;
                                name: string | null;
                                /** @enum {string} */
                                from: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                                /** @enum {string} */
                                to: "user" | "analyst" | "moderator" | "admin" | "super_admin";
                            } | null;
                            account: {
                                user_id: number;
                                name: string | null;
                                /** @description The new values; null: the deleted account is restored. */
                                fields: {
                                    [key: string]: unknown;
                                } | null;
                                /** @description Whether it gets a new password too. */
                                password: boolean;
                            } | null;
                            asked_by: {
                                id: number;
                                name: string;
                            } | null;
                            decided_by: {
                                id: number;
                                name: string;
                            } | null;
                            /** @description Why it was refused. */
                            reason: string | null;
                            result: {
                                notification_id?: number;
                                bulk_id?: number;
                                user_id?: number;
                            } | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            /** Format: date-time */
                            decided_at: string | null;
                        };
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                /** @description Entries made: from this date (`YYYY-MM-DD` in `timezone`) or this instant on. */
                start_date?: string;
                /** @description Entries made: to the end of this date, or before this instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                /** @description Default `id`. */
                sort_by?: "id" | "at";
                /** @description Default `desc`. */
                sort_order?: "asc" | "desc";
                /** @description Finds all words of this text in username, email, name and digits of the phone number of who did it, accents aside, in any order; upper and lower case are equal, and `%` and `_` are ordinary characters. */
                search?: string;
                /** @description Who did it. */
                actor_id?: number;
                /** @description The exact action, such as `login_failed` or `user.update`. */
                action?: string;
                /** @description The kind of record, such as `user`; for a denied call the path of the route. */
                entity?: string;
                /** @description Id of the record. */
                entity_id?: number;
                /** @description The `X-Request-Id` of the call. */
                request_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AuditEntry"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /**
                         * @description Where the search looked. In a list of more than 20,000 rows, one or two letters are found only at the beginning of words, and a text without a letter or digit only in the first 20,000 rows of the order.
                         * @enum {string}
                         */
                        search_reach?: "anywhere" | "word_beginnings" | "first_20000";
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAuditedRecord: {
        parameters: {
            query: {
                /** @description The kind of record, such as `user`. */
                entity: string;
                entity_id: number;
                at: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            entity: string;
                            entity_id: number;
                            /** Format: date-time */
                            at: string;
                            /** @description The number of entries read, at most the newest 500. */
                            entries: number;
                            /** Format: date-time */
                            first_at: string;
                            /** Format: date-time */
                            last_at: string;
                            fields: {
                                name: string;
                                /** @description Absent: the log does not know, or the record did not exist. */
                                was?: unknown;
                                /** @description The record after the newest entry; absent if the record no longer exists. */
                                is?: unknown;
                                is_changed: boolean;
                            }[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insightAccounts: {
        parameters: {
            query?: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                interval?: "hour" | "day" | "week" | "month";
                compare?: "previous_period" | "previous_year" | "none";
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            metric: "active_inactive_accounts";
                            /** @enum {string} */
                            unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio" | "mixed";
                            definition: string;
                            range: components["schemas"]["InsightRange"];
                            totals: {
                                active: number | null;
                                inactive: number | null;
                                created: number | null;
                                engaged_28d: number | null;
                                dormant_28d: number | null;
                            };
                            comparison: {
                                /** @enum {string} */
                                mode: "previous_period" | "previous_year";
                                /** @description No slice is finished, so an unfinished slice is compared with whole slices. */
                                partial: boolean;
                                range: components["schemas"]["InsightRange"];
                                totals: {
                                    active: number | null;
                                    inactive: number | null;
                                    created: number | null;
                                    engaged_28d: number | null;
                                    dormant_28d: number | null;
                                };
                                /** @description The finished slices that are compared. A change is the difference between their totals. */
                                current: {
                                    range: components["schemas"]["InsightRange"];
                                    totals: {
                                        active: number | null;
                                        inactive: number | null;
                                        created: number | null;
                                        engaged_28d: number | null;
                                        dormant_28d: number | null;
                                    };
                                };
                                change: number | null;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                                changes: {
                                    active: components["schemas"]["InsightChange"];
                                    inactive: components["schemas"]["InsightChange"];
                                    created: components["schemas"]["InsightChange"];
                                    engaged_28d: components["schemas"]["InsightChange"];
                                    dormant_28d: components["schemas"]["InsightChange"];
                                };
                            } | null;
                            series: {
                                /** @description The date in the time zone; with the interval hour, the local time. */
                                date: string;
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                                /**
                                 * Format: date
                                 * @description The UTC days with the same dates, for keys that are counted by UTC days.
                                 */
                                first_day: string;
                                /** Format: date */
                                last_day: string;
                                /** @description The range cuts it, it is not finished, or it is not counted to its end. */
                                partial: boolean;
                                active: number | null;
                                inactive: number | null;
                                created: number | null;
                                engaged_28d: number | null;
                                dormant_28d: number | null;
                                previous_date?: string;
                                previous_start?: string;
                                previous_end?: string;
                                previous_active?: number | null;
                                previous_inactive?: number | null;
                                previous_created?: number | null;
                                previous_engaged_28d?: number | null;
                                previous_dormant_28d?: number | null;
                            }[];
                            keys: {
                                /** @enum {string} */
                                key: "active" | "inactive" | "created" | "engaged_28d" | "dormant_28d";
                                label: string;
                                /** @enum {string} */
                                unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio";
                                /**
                                 * @description By `timezone`, or by whole UTC days.
                                 * @enum {string}
                                 */
                                cut: "zone" | "utc_days";
                                drilldown: string | null;
                            }[];
                            /** @description For the first key. Fill in the fields of a row of the series. */
                            drilldown: string;
                            /** Format: date-time */
                            generated_at: string;
                            /** Format: date-time */
                            complete_until: string | null;
                            source: ("quarter_hours" | "activity_days")[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insightActiveUsers: {
        parameters: {
            query?: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                interval?: "day" | "week" | "month";
                compare?: "previous_period" | "previous_year" | "none";
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            metric: "daily_active_users";
                            /** @enum {string} */
                            unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio" | "mixed";
                            definition: string;
                            range: components["schemas"]["InsightRange"];
                            totals: {
                                value: number | null;
                                average: number | null;
                                min: number | null;
                                max: number | null;
                            };
                            comparison: {
                                /** @enum {string} */
                                mode: "previous_period" | "previous_year";
                                /** @description No slice is finished, so an unfinished slice is compared with whole slices. */
                                partial: boolean;
                                range: components["schemas"]["InsightRange"];
                                totals: {
                                    value: number | null;
                                    average: number | null;
                                    min: number | null;
                                    max: number | null;
                                };
                                /** @description The finished slices that are compared. A change is the difference between their totals. */
                                current: {
                                    range: components["schemas"]["InsightRange"];
                                    totals: {
                                        value: number | null;
                                        average: number | null;
                                        min: number | null;
                                        max: number | null;
                                    };
                                };
                                change: number | null;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                                changes: {
                                    value: components["schemas"]["InsightChange"];
                                };
                            } | null;
                            series: {
                                /** @description The date in the time zone; with the interval hour, the local time. */
                                date: string;
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                                /**
                                 * Format: date
                                 * @description The UTC days with the same dates, for keys that are counted by UTC days.
                                 */
                                first_day: string;
                                /** Format: date */
                                last_day: string;
                                /** @description The range cuts it, it is not finished, or it is not counted to its end. */
                                partial: boolean;
                                value: number | null;
                                previous_date?: string;
                                previous_start?: string;
                                previous_end?: string;
                                previous_value?: number | null;
                            }[];
                            keys: {
                                /** @enum {string} */
                                key: "value";
                                label: string;
                                /** @enum {string} */
                                unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio";
                                /**
                                 * @description By `timezone`, or by whole UTC days.
                                 * @enum {string}
                                 */
                                cut: "zone" | "utc_days";
                                drilldown: string | null;
                            }[];
                            /** @description For the first key. Fill in the fields of a row of the series. */
                            drilldown: string;
                            /** Format: date-time */
                            generated_at: string;
                            /** Format: date-time */
                            complete_until: string | null;
                            source: ("quarter_hours" | "activity_days")[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insightSwapRequests: {
        parameters: {
            query?: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                interval?: "hour" | "day" | "week" | "month";
                compare?: "previous_period" | "previous_year" | "none";
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            metric: "total_swap_requests_sent";
                            /** @enum {string} */
                            unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio" | "mixed";
                            definition: string;
                            range: components["schemas"]["InsightRange"];
                            totals: {
                                value: number | null;
                                average: number | null;
                                min: number | null;
                                max: number | null;
                            };
                            comparison: {
                                /** @enum {string} */
                                mode: "previous_period" | "previous_year";
                                /** @description No slice is finished, so an unfinished slice is compared with whole slices. */
                                partial: boolean;
                                range: components["schemas"]["InsightRange"];
                                totals: {
                                    value: number | null;
                                    average: number | null;
                                    min: number | null;
                                    max: number | null;
                                };
                                /** @description The finished slices that are compared. A change is the difference between their totals. */
                                current: {
                                    range: components["schemas"]["InsightRange"];
                                    totals: {
                                        value: number | null;
                                        average: number | null;
                                        min: number | null;
                                        max: number | null;
                                    };
                                };
                                change: number | null;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                                changes: {
                                    value: components["schemas"]["InsightChange"];
                                };
                            } | null;
                            series: {
                                /** @description The date in the time zone; with the interval hour, the local time. */
                                date: string;
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                                /**
                                 * Format: date
                                 * @description The UTC days with the same dates, for keys that are counted by UTC days.
                                 */
                                first_day: string;
                                /** Format: date */
                                last_day: string;
                                /** @description The range cuts it, it is not finished, or it is not counted to its end. */
                                partial: boolean;
                                value: number | null;
                                previous_date?: string;
                                previous_start?: string;
                                previous_end?: string;
                                previous_value?: number | null;
                            }[];
                            keys: {
                                /** @enum {string} */
                                key: "value";
                                label: string;
                                /** @enum {string} */
                                unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio";
                                /**
                                 * @description By `timezone`, or by whole UTC days.
                                 * @enum {string}
                                 */
                                cut: "zone" | "utc_days";
                                drilldown: string | null;
                            }[];
                            /** @description For the first key. Fill in the fields of a row of the series. */
                            drilldown: string;
                            /** Format: date-time */
                            generated_at: string;
                            /** Format: date-time */
                            complete_until: string | null;
                            source: ("quarter_hours" | "activity_days")[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insightSuccessfulSwaps: {
        parameters: {
            query?: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                interval?: "hour" | "day" | "week" | "month";
                compare?: "previous_period" | "previous_year" | "none";
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            metric: "total_successful_swaps";
                            /** @enum {string} */
                            unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio" | "mixed";
                            definition: string;
                            range: components["schemas"]["InsightRange"];
                            totals: {
                                value: number | null;
                                requested: number | null;
                                completed_in_30d: number | null;
                                period_ratio: number | null;
                                cohort_rate: number | null;
                                average: number | null;
                                min: number | null;
                                max: number | null;
                            };
                            comparison: {
                                /** @enum {string} */
                                mode: "previous_period" | "previous_year";
                                /** @description No slice is finished, so an unfinished slice is compared with whole slices. */
                                partial: boolean;
                                range: components["schemas"]["InsightRange"];
                                totals: {
                                    value: number | null;
                                    requested: number | null;
                                    completed_in_30d: number | null;
                                    period_ratio: number | null;
                                    cohort_rate: number | null;
                                    average: number | null;
                                    min: number | null;
                                    max: number | null;
                                };
                                /** @description The finished slices that are compared. A change is the difference between their totals. */
                                current: {
                                    range: components["schemas"]["InsightRange"];
                                    totals: {
                                        value: number | null;
                                        requested: number | null;
                                        completed_in_30d: number | null;
                                        period_ratio: number | null;
                                        cohort_rate: number | null;
                                        average: number | null;
                                        min: number | null;
                                        max: number | null;
                                    };
                                };
                                change: number | null;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                                changes: {
                                    value: components["schemas"]["InsightChange"];
                                    requested: components["schemas"]["InsightChange"];
                                    completed_in_30d: components["schemas"]["InsightChange"];
                                    period_ratio: components["schemas"]["InsightChange"];
                                    cohort_rate: components["schemas"]["InsightChange"];
                                };
                            } | null;
                            series: {
                                /** @description The date in the time zone; with the interval hour, the local time. */
                                date: string;
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                                /**
                                 * Format: date
                                 * @description The UTC days with the same dates, for keys that are counted by UTC days.
                                 */
                                first_day: string;
                                /** Format: date */
                                last_day: string;
                                /** @description The range cuts it, it is not finished, or it is not counted to its end. */
                                partial: boolean;
                                value: number | null;
                                requested: number | null;
                                completed_in_30d: number | null;
                                period_ratio: number | null;
                                cohort_rate: number | null;
                                previous_date?: string;
                                previous_start?: string;
                                previous_end?: string;
                                previous_value?: number | null;
                                previous_requested?: number | null;
                                previous_completed_in_30d?: number | null;
                                previous_period_ratio?: number | null;
                                previous_cohort_rate?: number | null;
                            }[];
                            keys: {
                                /** @enum {string} */
                                key: "value" | "requested" | "completed_in_30d" | "period_ratio" | "cohort_rate";
                                label: string;
                                /** @enum {string} */
                                unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio";
                                /**
                                 * @description By `timezone`, or by whole UTC days.
                                 * @enum {string}
                                 */
                                cut: "zone" | "utc_days";
                                drilldown: string | null;
                            }[];
                            /** @description For the first key. Fill in the fields of a row of the series. */
                            drilldown: string;
                            /** Format: date-time */
                            generated_at: string;
                            /** Format: date-time */
                            complete_until: string | null;
                            source: ("quarter_hours" | "activity_days")[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insightEngagement: {
        parameters: {
            query?: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                interval?: "hour" | "day" | "week" | "month";
                compare?: "previous_period" | "previous_year" | "none";
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            metric: "engagement_overview";
                            /** @enum {string} */
                            unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio" | "mixed";
                            definition: string;
                            range: components["schemas"]["InsightRange"];
                            totals: {
                                active_users: number | null;
                                daily_users: number | null;
                                weekly_users: number | null;
                                monthly_users: number | null;
                                stickiness_daily: number | null;
                                stickiness_weekly: number | null;
                                new_users: number | null;
                                returning_users: number | null;
                                resurrected_users: number | null;
                                dormant_users: number | null;
                                products_listed: number | null;
                                swaps_requested: number | null;
                                swaps_accepted: number | null;
                                swaps_completed: number | null;
                                messages_sent: number | null;
                                pushes_sent: number | null;
                                pushes_delivered: number | null;
                                pushes_opened: number | null;
                            };
                            comparison: {
                                /** @enum {string} */
                                mode: "previous_period" | "previous_year";
                                /** @description No slice is finished, so an unfinished slice is compared with whole slices. */
                                partial: boolean;
                                range: components["schemas"]["InsightRange"];
                                totals: {
                                    active_users: number | null;
                                    daily_users: number | null;
                                    weekly_users: number | null;
                                    monthly_users: number | null;
                                    stickiness_daily: number | null;
                                    stickiness_weekly: number | null;
                                    new_users: number | null;
                                    returning_users: number | null;
                                    resurrected_users: number | null;
                                    dormant_users: number | null;
                                    products_listed: number | null;
                                    swaps_requested: number | null;
                                    swaps_accepted: number | null;
                                    swaps_completed: number | null;
                                    messages_sent: number | null;
                                    pushes_sent: number | null;
                                    pushes_delivered: number | null;
                                    pushes_opened: number | null;
                                };
                                /** @description The finished slices that are compared. A change is the difference between their totals. */
                                current: {
                                    range: components["schemas"]["InsightRange"];
                                    totals: {
                                        active_users: number | null;
                                        daily_users: number | null;
                                        weekly_users: number | null;
                                        monthly_users: number | null;
                                        stickiness_daily: number | null;
                                        stickiness_weekly: number | null;
                                        new_users: number | null;
                                        returning_users: number | null;
                                        resurrected_users: number | null;
                                        dormant_users: number | null;
                                        products_listed: number | null;
                                        swaps_requested: number | null;
                                        swaps_accepted: number | null;
                                        swaps_completed: number | null;
                                        messages_sent: number | null;
                                        pushes_sent: number | null;
                                        pushes_delivered: number | null;
                                        pushes_opened: number | null;
                                    };
                                };
                                change: number | null;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                                changes: {
                                    active_users: components["schemas"]["InsightChange"];
                                    daily_users: components["schemas"]["InsightChange"];
                                    weekly_users: components["schemas"]["InsightChange"];
                                    monthly_users: components["schemas"]["InsightChange"];
                                    stickiness_daily: components["schemas"]["InsightChange"];
                                    stickiness_weekly: components["schemas"]["InsightChange"];
                                    new_users: components["schemas"]["InsightChange"];
                                    returning_users: components["schemas"]["InsightChange"];
                                    resurrected_users: components["schemas"]["InsightChange"];
                                    dormant_users: components["schemas"]["InsightChange"];
                                    products_listed: components["schemas"]["InsightChange"];
                                    swaps_requested: components["schemas"]["InsightChange"];
                                    swaps_accepted: components["schemas"]["InsightChange"];
                                    swaps_completed: components["schemas"]["InsightChange"];
                                    messages_sent: components["schemas"]["InsightChange"];
                                    pushes_sent: components["schemas"]["InsightChange"];
                                    pushes_delivered: components["schemas"]["InsightChange"];
                                    pushes_opened: components["schemas"]["InsightChange"];
                                };
                            } | null;
                            series: {
                                /** @description The date in the time zone; with the interval hour, the local time. */
                                date: string;
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                                /**
                                 * Format: date
                                 * @description The UTC days with the same dates, for keys that are counted by UTC days.
                                 */
                                first_day: string;
                                /** Format: date */
                                last_day: string;
                                /** @description The range cuts it, it is not finished, or it is not counted to its end. */
                                partial: boolean;
                                active_users: number | null;
                                daily_users: number | null;
                                weekly_users: number | null;
                                monthly_users: number | null;
                                stickiness_daily: number | null;
                                stickiness_weekly: number | null;
                                new_users: number | null;
                                returning_users: number | null;
                                resurrected_users: number | null;
                                dormant_users: number | null;
                                products_listed: number | null;
                                swaps_requested: number | null;
                                swaps_accepted: number | null;
                                swaps_completed: number | null;
                                messages_sent: number | null;
                                pushes_sent: number | null;
                                pushes_delivered: number | null;
                                pushes_opened: number | null;
                                previous_date?: string;
                                previous_start?: string;
                                previous_end?: string;
                                previous_active_users?: number | null;
                                previous_daily_users?: number | null;
                                previous_weekly_users?: number | null;
                                previous_monthly_users?: number | null;
                                previous_stickiness_daily?: number | null;
                                previous_stickiness_weekly?: number | null;
                                previous_new_users?: number | null;
                                previous_returning_users?: number | null;
                                previous_resurrected_users?: number | null;
                                previous_dormant_users?: number | null;
                                previous_products_listed?: number | null;
                                previous_swaps_requested?: number | null;
                                previous_swaps_accepted?: number | null;
                                previous_swaps_completed?: number | null;
                                previous_messages_sent?: number | null;
                                previous_pushes_sent?: number | null;
                                previous_pushes_delivered?: number | null;
                                previous_pushes_opened?: number | null;
                            }[];
                            keys: {
                                /** @enum {string} */
                                key: "active_users" | "daily_users" | "weekly_users" | "monthly_users" | "stickiness_daily" | "stickiness_weekly" | "new_users" | "returning_users" | "resurrected_users" | "dormant_users" | "products_listed" | "swaps_requested" | "swaps_accepted" | "swaps_completed" | "messages_sent" | "pushes_sent" | "pushes_delivered" | "pushes_opened";
                                label: string;
                                /** @enum {string} */
                                unit: "accounts" | "users" | "swaps" | "products" | "messages" | "pushes" | "ratio";
                                /**
                                 * @description By `timezone`, or by whole UTC days.
                                 * @enum {string}
                                 */
                                cut: "zone" | "utc_days";
                                drilldown: string | null;
                            }[];
                            /** @description For the first key. Fill in the fields of a row of the series. */
                            drilldown: string;
                            /** Format: date-time */
                            generated_at: string;
                            /** Format: date-time */
                            complete_until: string | null;
                            source: ("quarter_hours" | "activity_days")[];
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInsightRows: {
        parameters: {
            query: {
                page?: number;
                per_page?: number;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                key: string;
                /** @description The number of days that count as a month of users: 28 (default) or 30. */
                mau_days?: 28 | 30;
            };
            header?: never;
            path: {
                metric: "active-inactive-accounts" | "daily-active-users" | "total-swap-requests-sent" | "total-successful-swaps" | "engagement-overview";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["InsightRow"][];
                        message: string;
                        pagination: components["schemas"]["Pagination"];
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInsightBreakdown: {
        parameters: {
            query: {
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                start_date?: string;
                /** @description `YYYY-MM-DD` in `timezone`, or an instant. */
                end_date?: string;
                /** @description IANA name; default UTC. */
                timezone?: string;
                measure: "swaps_requested" | "swaps_completed" | "products_listed" | "accounts_created";
                by: "city" | "category";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done; `data` is the result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            measure: "swaps_requested" | "swaps_completed" | "products_listed" | "accounts_created";
                            /** @enum {string} */
                            by: "city" | "category";
                            range: {
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                            };
                            previous_range: {
                                /** Format: date-time */
                                start: string;
                                /** Format: date-time */
                                end: string;
                            };
                            total: {
                                value: number;
                                /** @description The share of all in percent; null where there is nothing. */
                                percent: number | null;
                                /** @description In the range of the same length before. */
                                previous: number;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                            };
                            /** @description The 20 largest, upper and lower case of a name together. */
                            rows: {
                                /** @description Null: those without one. */
                                name: string | null;
                                value: number;
                                /** @description The share of all in percent; null where there is nothing. */
                                percent: number | null;
                                /** @description In the range of the same length before. */
                                previous: number;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                            }[];
                            /** @description All beyond the rows; null if there are none. */
                            others: {
                                /** @description How many names stand behind it. */
                                names: number;
                                value: number;
                                /** @description The share of all in percent; null where there is nothing. */
                                percent: number | null;
                                /** @description In the range of the same length before. */
                                previous: number;
                                /** @description Null where there was nothing before. */
                                change_percent: number | null;
                            } | null;
                        };
                        message: string;
                        /** @description Query parameters that this call does not know; absent if there are none. */
                        ignored_parameters?: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApiDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}

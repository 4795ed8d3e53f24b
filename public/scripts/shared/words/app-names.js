/** The words for each kind of app. */
export const appKinds = { app: "App", appClip: "App Clip" };

/** The names of the registered apps, by app ID. */
export class AppNames {
    #names;

    constructor(apps) {
        this.apps = apps;
        this.#names = new Map(apps.map(({ appID, name }) => [appID, name]));
    }

    name(appID) {
        return this.#names.get(appID) ?? appID;
    }

    /** The IDs of the registered apps with this name, in any case. */
    named(name) {
        const wanted = name.toLowerCase();
        return [...this.#names].filter(([, known]) => known.toLowerCase() === wanted).map(([appID]) => appID);
    }

    isRegistered(appID) {
        return this.#names.has(appID);
    }

    add(apps) {
        for (const app of apps) {
            if (!this.isRegistered(app.appID)) this.apps.push(app);
            this.#names.set(app.appID, app.name);
        }
    }
}

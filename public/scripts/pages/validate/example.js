/** A shop for walks. One key is misspelled; the last URL shows the effect. */
const file = `{
  "applinks": {
    "substitutionVariables": {
      "season": ["spring", "summer", "autumn", "winter"]
    },
    "details": [
      {
        "appIDs": ["T7R4L9S2QX.app.trails.walks"],
        "components": [
          {
            "/": "/account/*",
            "exclude": true,
            "comment": "Signing in stays on the web."
          },
          { "/": "/map", "?": { "trail": "?*" } },
          { "/": "/$(season)/*" },
          { "/": "/sale/*", "casesensitive": false }
        ]
      }
    ]
  }
}
`;

const paths = ["/summer/lake-path", "/winter", "/map?trail=ridge", "/map", "/account/password", "/Sale/boots"];

export const example = {
    file,
    host: "www.trails.example",
    system: "ios14",
    urls: paths.map((path) => `https://www.trails.example${path}`).join("\n"),
};

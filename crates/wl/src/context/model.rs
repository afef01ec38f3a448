//! What the environment says about a model's service. Not which of it counts: that is the command's.

use super::variable;

/// What variables say about one service.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModelVariables {
    pub(crate) key: Option<String>,
    pub(crate) url: Option<String>,
}

/// The variables of a service, by the prefix that its own tools use: `ANTHROPIC`, `OPENAI`.
pub(crate) fn model_variables(prefix: &str) -> ModelVariables {
    ModelVariables {
        key: variable(&format!("{prefix}_API_KEY")),
        url: variable(&format!("{prefix}_BASE_URL")),
    }
}

/// The model that is asked for, by whichever service.
pub(crate) fn model_name() -> Option<String> {
    variable("WORKLIST_MODEL")
}

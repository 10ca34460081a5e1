//! Call sites the VM links itself instead of running the JDK's bootstrap methods: the ones javac emits for
//! lambdas, string concatenation and records. The JDK's way costs hundreds of thousands of instructions each.

use crate::ids::ClassId;
use crate::invoke::{LinkedSite, Site};
use crate::stop::Stop;
use crate::vm::Vm;

const REF_INVOKE_STATIC: u8 = 6;

impl Vm {
    /// Links the site if its bootstrap method is a known one and nothing about it is unusual.
    pub(crate) fn link_known_site(
        &mut self,
        caller: ClassId,
        cp: u16,
        site: Site,
    ) -> Result<Option<LinkedSite>, Stop> {
        let Some(file) = self.class(caller).file else {
            return Ok(None);
        };
        let Some((bootstrap, name, desc)) = file.dynamic(cp) else {
            return Ok(None);
        };
        let Some((handle, arguments)) = file.bootstrap(bootstrap) else {
            return Ok(None);
        };
        let Some((REF_INVOKE_STATIC, member)) = file.method_handle(handle) else {
            return Ok(None);
        };
        let Some((class, method, _)) = file.member(member) else {
            return Ok(None);
        };
        match (file.class_name(class).unwrap_or_default(), method) {
            (b"java/lang/invoke/LambdaMetafactory", b"metafactory") => {
                self.link_lambda(caller, site, name, desc, &arguments, false)
            }
            (b"java/lang/invoke/LambdaMetafactory", b"altMetafactory") => {
                self.link_lambda(caller, site, name, desc, &arguments, true)
            }
            (b"java/lang/invoke/StringConcatFactory", b"makeConcatWithConstants") => {
                self.link_concat(caller, desc, &arguments)
            }
            (b"java/lang/invoke/StringConcatFactory", b"makeConcat") => self.link_plain_concat(caller, desc),
            (b"java/lang/runtime/ObjectMethods", b"bootstrap") => {
                self.link_record_method(caller, site, name, desc, &arguments)
            }
            _ => Ok(None),
        }
    }
}
